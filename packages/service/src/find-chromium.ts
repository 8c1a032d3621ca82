import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names under which distributions and Google install it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium in the folders of PATH; undefined = there is none. */
export const findChromium = (path: string): string | undefined =>
  path
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isExecutable);

/** A file that this account may run; anything else, and nothing at all, is none. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
