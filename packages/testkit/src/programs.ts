import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { installPackages } from '@catchment/servers';

/** Programs of the machine that tests use; installed where they are missing. */
const PROGRAMS = { chromium: ['chromium', 'chromium-browser', 'google-chrome'], poppler: ['pdftotext'] } as const;

/** The browser for tests: `CHROMIUM` of the environment, or that of the machine. */
export const testChromium = async (): Promise<string> => process.env.CHROMIUM ?? (await provided('chromium'));

/** Makes sure that `pdftotext`, `pdftoppm` and `pdfinfo` can be run. */
export async function testPoppler(): Promise<void> {
  await provided('poppler');
}

/** Arguments of a browser for tests: nothing but what the test asks for. */
export const QUIET_BROWSER = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function provided(kind: keyof typeof PROGRAMS): Promise<string> {
  const find = () => inPath(PROGRAMS[kind]);
  const found = await find();
  if (found) return found;
  await installPackages([kind], {
    yes: true,
    log: () => undefined,
    isInstalled: async () => (await find()) !== undefined,
  });
  const installed = await find();
  if (!installed) throw new Error(`${PROGRAMS[kind][0]} is not in PATH`);
  return installed;
}

async function inPath(names: readonly string[]): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  for (const file of names.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}
