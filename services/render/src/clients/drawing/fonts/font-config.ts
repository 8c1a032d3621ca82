import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SCRIPT_FONTS } from './script-fonts.ts';
import { FONT_FAMILY, FONT_FILES } from './text-width.ts';

export type PackagedFonts = {
  /** For `FONTCONFIG_FILE`, to be set before sharp is loaded. */
  readonly configFile: string;
  close(): Promise<void>;
};

/**
 * A fontconfig configuration that knows the packaged fonts and nothing else: pictures look the same on every machine,
 * also on one without any font. It lies in a directory of its own, with fontconfig's cache.
 */
export async function packagedFonts(): Promise<PackagedFonts> {
  const directory = await mkdtemp(join(tmpdir(), 'catchment-fonts-'));
  const configFile = join(directory, 'fonts.conf');
  await writeFile(configFile, fontConfig(join(directory, 'cache')));
  return { configFile, close: () => rm(directory, { recursive: true, force: true }) };
}

function fontConfig(cacheDirectory: string): string {
  const files = [...Object.values(FONT_FILES), ...SCRIPT_FONTS.map(({ file }) => file)];
  const directories = files.map((file) => `<dir>${escapeXml(dirname(file))}</dir>`);
  const families = [FONT_FAMILY, ...SCRIPT_FONTS.map(({ family }) => family)].map(
    (family) => `<family>${family}</family>`,
  );
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${directories.join('\n  ')}
  <cachedir>${escapeXml(cacheDirectory)}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>${families.join('')}</prefer></alias>
</fontconfig>
`;
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
