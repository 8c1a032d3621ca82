import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** With the widths of Helvetica, Courier and Times; and what the scripts need that they lack. */
const TEXT_FONTS = ['arimo', 'cousine', 'tinos'];
const SCRIPT_FONTS = [
  ...['noto-sans', 'noto-sans-arabic', 'noto-sans-armenian', 'noto-sans-bengali', 'noto-sans-cherokee'],
  ...['noto-sans-devanagari', 'noto-sans-ethiopic', 'noto-sans-georgian', 'noto-sans-gujarati', 'noto-sans-gurmukhi'],
  ...[
    'noto-sans-hebrew',
    'noto-sans-kannada',
    'noto-sans-khmer',
    'noto-sans-kr',
    'noto-sans-lao',
    'noto-sans-malayalam',
  ],
  ...[
    'noto-sans-math',
    'noto-sans-mongolian',
    'noto-sans-myanmar',
    'noto-sans-oriya',
    'noto-sans-sc',
    'noto-sans-sinhala',
  ],
  ...['noto-sans-symbols', 'noto-sans-symbols-2', 'noto-sans-syriac', 'noto-sans-tamil', 'noto-sans-telugu'],
  ...['noto-sans-thaana', 'noto-sans-thai', 'noto-serif-tibetan'],
];
/** Other weights would make the start of the browser slow. */
const WEIGHTS = ['400Regular', '700Bold'];
const TEXT_WEIGHTS = [...WEIGHTS, '400Regular_Italic', '700Bold_Italic'];

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
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${directories.map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('\n  ')}
  <cachedir>${escapeXml(cacheDirectory)}</cachedir>
  <alias binding="same"><family>Catchment</family><prefer><family>Noto Sans</family></prefer></alias>
  <alias binding="same"><family>sans-serif</family><prefer><family>Noto Sans</family></prefer></alias>
</fontconfig>
`;
}

const foldersOf = (name: string, weights: readonly string[]): string[] => {
  const root = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
  return weights.map((weight) => join(root, weight));
};

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
