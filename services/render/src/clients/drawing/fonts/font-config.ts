import { hash, randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const CACHE = 'cache';

/**
 * Makes a fontconfig configuration that knows these fonts and nothing else: pictures and documents look the same on every machine, also on
 * one without any font. It lies with fontconfig's cache in one folder for all processes of this account and their next starts: a process
 * that is killed would leave another one behind each time.
 * @param files of fonts, in directories that have no others
 * @param families of sans-serif, in the order in which they are looked into
 * @returns its path for `FONTCONFIG_FILE`, to be set before the library that draws is loaded
 */
export async function fontsOf(
  files: readonly string[],
  families: readonly string[],
  folder = tmpdir(),
): Promise<string> {
  const name = hash('sha256', fontConfig(files, families, CACHE), 'hex').slice(0, 16);
  const directory = await ownFolder(folder, `catchment-fonts-${process.getuid?.() ?? 0}-${name}`);
  const configFile = join(directory, 'fonts.conf');
  // Another process may read it at the same time: it is there as a whole, or not yet.
  const draft = `${configFile}.${randomUUID()}`;
  await writeFile(draft, fontConfig(files, families, join(directory, CACHE)));
  await rename(draft, configFile);
  return configFile;
}

/** Somebody else may have taken the name in a folder that everybody may write to. */
async function ownFolder(folder: string, name: string): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory, { mode: 0o700, recursive: true });
  const { uid, mode } = await lstat(directory);
  const isOurs = (process.getuid === undefined || uid === process.getuid()) && (mode & 0o170077) === 0o040000;
  return isOurs ? directory : mkdtemp(`${directory}-`);
}

function fontConfig(files: readonly string[], families: readonly string[], cacheDirectory: string): string {
  const directories = [...new Set(files.map((file) => dirname(file)))];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${directories.map((directory) => `<dir>${escapeXml(directory)}</dir>`).join('\n  ')}
  <cachedir>${escapeXml(cacheDirectory)}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>${families.map((family) => `<family>${family}</family>`).join('')}</prefer></alias>
</fontconfig>
`;
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
