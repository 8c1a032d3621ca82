import { createRequire } from 'node:module';
import { type Font, openSync } from 'fontkit';

export const FONT_FAMILY = 'Noto Sans';
/** A viewer of the SVG that lacks the font falls back to its own. */
export const FONT_STACK = `${FONT_FAMILY}, sans-serif`;

const require = createRequire(import.meta.url);
export const FONT_FILES = {
  normal: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
} as const;
export type FontWeight = keyof typeof FONT_FILES;

const fonts = new Map<FontWeight, Font>();

function fontOf(weight: FontWeight): Font {
  let font = fonts.get(weight);
  if (!font) {
    const opened = openSync(FONT_FILES[weight]);
    if ('fonts' in opened) throw new Error('a font collection, not a font');
    font = opened;
    fonts.set(weight, font);
  }
  return font;
}

/** Width of a line of text in pixels in the packaged font (advance widths; kerning would save a few tenths). */
export function textWidth(text: string, fontSizePx: number, weight: FontWeight = 'normal'): number {
  const font = fontOf(weight);
  let units = 0;
  for (const character of text) units += font.glyphForCodePoint(character.codePointAt(0) ?? 32).advanceWidth;
  return (units * fontSizePx) / font.unitsPerEm;
}

/** The text itself where it fits into `maxWidthPx`, otherwise its beginning and an ellipsis. */
export function fitText(text: string, maxWidthPx: number, fontSizePx: number, weight: FontWeight = 'normal'): string {
  if (textWidth(text, fontSizePx, weight) <= maxWidthPx) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const shorter = `${characters.slice(0, middle).join('')}…`;
    if (textWidth(shorter, fontSizePx, weight) <= maxWidthPx) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${characters.slice(0, low).join('').trimEnd()}…`;
}
