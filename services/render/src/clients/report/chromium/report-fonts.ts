import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fontsOf, type PackagedFonts } from '../../drawing/fonts/font-config.ts';
import { packagedFont } from '../../drawing/fonts/packaged-font.ts';
import { SCRIPT_FONTS } from '../../drawing/fonts/script-fonts.ts';
import { FONT_FAMILY, FONT_FILES } from '../../drawing/fonts/text-width.ts';

/** With the widths of Helvetica, Courier and Times. */
const TEXT_FONTS = ['Arimo', 'Cousine', 'Tinos'];
const TEXT_STYLES = ['400Regular', '700Bold', '400Regular_Italic', '700Bold_Italic'];
const FALLBACKS = [FONT_FAMILY, ...SCRIPT_FONTS.map(({ family }) => family)];

/** For what the named font lacks, as CSS has it. */
export const FALLBACK_FAMILIES = FALLBACKS.map((family) => `'${family}'`).join(',');

export type BrowserFiles = PackagedFonts & { readonly home: string };

/** A home of the browser, and the packaged fonts. Scripts have one weight: more would make the start of the browser slow. */
export async function browserFiles(): Promise<BrowserFiles> {
  const text = TEXT_FONTS.flatMap((family) => TEXT_STYLES.map((style) => packagedFont(family, style)));
  const files = [...text, ...Object.values(FONT_FILES), ...SCRIPT_FONTS.map(({ file }) => file)];
  const fonts = await fontsOf(files, FALLBACKS);
  const home = join(fonts.directory, 'home');
  await mkdir(home);
  return { ...fonts, home };
}
