import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type PackagedFonts = {
  /** For `FONTCONFIG_FILE`, to be set before the library that draws is loaded. */
  readonly configFile: string;
  /** The configuration's directory, with fontconfig's cache; other things of the same life may lie there. */
  readonly directory: string;
  close(): Promise<void>;
};

/**
 * A fontconfig configuration that knows these fonts and nothing else: pictures and documents look the same on every machine, also on one
 * without any font.
 * @param files of fonts, in directories that have no others
 * @param families of sans-serif, in the order in which they are looked into
 */
export async function fontsOf(files: readonly string[], families: readonly string[]): Promise<PackagedFonts> {
  const directory = await mkdtemp(join(tmpdir(), 'catchment-fonts-'));
  const configFile = join(directory, 'fonts.conf');
  await writeFile(configFile, fontConfig(files, families, join(directory, 'cache')));
  return { configFile, directory, close: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
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
