import { findChromium } from '@catchment/service/find-chromium';
import { Chromium, type ChromiumOptions } from './chromium.ts';

type Places = {
  /** CHROMIUM_PATH sets it; the program in PATH where it is empty. */
  readonly chromiumPath: string;
  readonly searchPath: string;
};
type Options = Omit<ChromiumOptions, 'executablePath' | 'searchPath'>;

/** The Chromium of the machine. It is looked for at every report, so that one that comes or moves later needs no restart. */
export class InstalledChromium {
  readonly #places: Places;
  readonly #options: Options;
  #found: { readonly executablePath: string; readonly chromium: Chromium } | undefined;

  constructor(places: Places, options: Options) {
    this.#places = places;
    this.#options = options;
  }

  /** undefined = there is none. */
  find(): Chromium | undefined {
    const { searchPath, chromiumPath } = this.#places;
    const executablePath = findChromium(searchPath, chromiumPath);
    if (executablePath === undefined) return undefined;
    if (this.#found?.executablePath !== executablePath) {
      void this.#found?.chromium.close();
      this.#found = { executablePath, chromium: new Chromium({ ...this.#options, executablePath, searchPath }) };
    }
    return this.#found.chromium;
  }

  async close(): Promise<void> {
    await this.#found?.chromium.close();
  }
}
