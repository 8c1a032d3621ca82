import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names under which distributions and Google install it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Finds the Chromium that prints reports: the one that CHROMIUM_PATH names, else the first one in the folders of PATH; undefined = there is
 * none.
 * @param given CHROMIUM_PATH; empty = it names none
 */
export const findChromium = (path: string, given = ''): string | undefined =>
  (given === '' ? candidatesOf(path) : [given]).find(isExecutable);

const candidatesOf = (path: string): string[] =>
  path
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));

/** Accepts a file that this account may run; anything else, and nothing at all, is none. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
