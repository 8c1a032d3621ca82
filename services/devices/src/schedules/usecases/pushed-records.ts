import { after } from '../domain/acquisition.ts';
import type { Store } from './ports.ts';
import { stored } from './pushes.ts';

type PushedRecordsDeps = {
  readonly store: Pick<Store, 'transaction' | 'failedAcquisitions'>;
  readonly now: () => number;
};

/** More are noted the next time that they push. */
const NOTED_MAX = 50_000;

/**
 * Remembers the sources whose devices have pushed records since the last look. Messages may come by the thousand, and a status that lasts
 * for milliseconds is of no use to anybody: what counts is that a source that has FAILED does so no more.
 */
export class PushedRecords {
  readonly #deps: PushedRecordsDeps;
  #noted = new Set<string>();

  constructor(deps: PushedRecordsDeps) {
    this.#deps = deps;
  }

  /** Records of a source are in the log. */
  note(sourceId: string): void {
    if (this.#noted.size < NOTED_MAX) this.#noted.add(sourceId);
  }

  /** Looks once for all sources that were noted. */
  async look(): Promise<void> {
    if (this.#noted.size === 0) return;
    const { store, now } = this.#deps;
    const noted = [...this.#noted];
    this.#noted = new Set();
    for (const sourceId of await store.failedAcquisitions(noted)) {
      await store.transaction(async (tx) => {
        const known = await tx.lockAcquisition(sourceId);
        const processing = known && known !== 'deleted' ? after(known, 'push accepted', now()) : undefined;
        if (!processing) return;
        // Rows of a push are reported by historic.
        const [rest, reported] = stored(processing, now());
        await tx.saveAcquisition({ ...rest, lastRecordCount: processing.lastRecordCount }, reported);
      });
    }
  }
}
