import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** With the widths of Helvetica, Courier and Times; and what the scripts need that they lack. */
const TEXT_FONTS = ['Arimo', 'Cousine', 'Tinos'];
/** In the order in which they are looked into: those of mathematics and symbols have letters of other scripts too, and come last. */
const SCRIPT_FONTS = [
  ...['Noto Sans', 'Noto Sans Arabic', 'Noto Sans Armenian', 'Noto Sans Bengali', 'Noto Sans Cherokee'],
  ...['Noto Sans Devanagari', 'Noto Sans Ethiopic', 'Noto Sans Georgian', 'Noto Sans Gujarati', 'Noto Sans Gurmukhi'],
  ...[
    'Noto Sans Hebrew',
    'Noto Sans Kannada',
    'Noto Sans Khmer',
    'Noto Sans Lao',
    'Noto Sans Malayalam',
    'Noto Sans SC',
  ],
  ...['Noto Sans KR', 'Noto Sans Mongolian', 'Noto Sans Myanmar', 'Noto Sans Oriya', 'Noto Sans Sinhala'],
  ...['Noto Sans Syriac', 'Noto Sans Tamil', 'Noto Sans Telugu', 'Noto Sans Thaana', 'Noto Sans Thai'],
  ...['Noto Serif Tibetan', 'Noto Sans Symbols', 'Noto Sans Symbols 2', 'Noto Sans Math'],
];
/** Other weights would make the start of the browser slow. */
const WEIGHTS = ['400Regular', '700Bold'];
const TEXT_WEIGHTS = [...WEIGHTS, '400Regular_Italic', '700Bold_Italic'];

/** For what the named font lacks, as CSS has it. */
export const FALLBACK_FAMILIES = SCRIPT_FONTS.map((family) => `'${family}'`).join(',');

export type BrowserFiles = { readonly fontConfigFile: string; readonly home: string; close(): Promise<void> };

/** A home of the browser, with a fontconfig that knows the packaged fonts and nothing else: documents look the same on every machine. */
export async function browserFiles(): Promise<BrowserFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'catchment-reports-'));
  const home = join(directory, 'home');
  await mkdir(home);
  const fontConfigFile = join(directory, 'fonts.conf');
  await writeFile(fontConfigFile, fontConfig(join(directory, 'cache')));
  return { fontConfigFile, home, close: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
}

function fontConfig(cacheDirectory: string): string {
  const directories = [
    ...TEXT_FONTS.flatMap((name) => foldersOf(name, TEXT_WEIGHTS)),
    ...SCRIPT_FONTS.flatMap((name) => foldersOf(name, WEIGHTS)),
  ];
  const families = SCRIPT_FONTS.map((name) => `<family>${name}</family>`).join('');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${directories.map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('\n  ')}
  <cachedir>${escapeXml(cacheDirectory)}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>${families}</prefer></alias>
</fontconfig>
`;
}

const foldersOf = (family: string, weights: readonly string[]): string[] => {
  const name = family.toLowerCase().replaceAll(' ', '-');
  const root = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
  return weights.map((weight) => join(root, weight));
};

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
