import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testChromium } from '@catchment/testkit';

/** A program stands before the machine's browser, and does not start it while it is broken. */
export type BreakableBrowser = {
  readonly executable: string;
  breakIt(): Promise<void>;
  mend(): Promise<void>;
  remove(): Promise<void>;
};

export async function breakableBrowser(): Promise<BreakableBrowser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catchment-browser-'));
  const [executable, broken] = [path.join(folder, 'chromium'), path.join(folder, 'broken')];
  await writeFile(executable, `#!/bin/sh\n[ ! -e '${broken}' ] || exit 1\nexec '${await testChromium()}' "$@"\n`);
  await chmod(executable, 0o755);
  return {
    executable,
    breakIt: () => writeFile(broken, ''),
    mend: () => rm(broken, { force: true }),
    remove: () => rm(folder, { recursive: true }),
  };
}
