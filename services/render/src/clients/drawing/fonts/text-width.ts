import { type Font, openSync } from 'fontkit';
import { packagedFont } from './packaged-font.ts';
import { SCRIPT_FONTS } from './script-fonts.ts';

export const FONT_FAMILY = 'Noto Sans';
/** A viewer of the SVG that lacks the font falls back to its own. */
export const FONT_STACK = `${FONT_FAMILY}, sans-serif`;

export const FONT_FILES = {
  normal: packagedFont(FONT_FAMILY, '400Regular'),
  bold: packagedFont(FONT_FAMILY, '700Bold'),
} as const;
type FontWeight = keyof typeof FONT_FILES;

const fonts = new Map<string, Font>();

function fontIn(file: string): Font {
  let font = fonts.get(file);
  if (!font) {
    const opened = openSync(file);
    if ('fonts' in opened) throw new Error('a font collection, not a font');
    font = opened;
    fonts.set(file, font);
  }
  return font;
}

/** Returns the font that a character is drawn with: the first one, or that of its script. */
function fontFor(character: string, first: Font): Font {
  const codePoint = character.codePointAt(0)!;
  if (first.hasGlyphForCodePoint(codePoint)) return first;
  const others = SCRIPT_FONTS.filter(({ covers }) => covers.test(character)).map(({ file }) => fontIn(file));
  return others.find((font) => font.hasGlyphForCodePoint(codePoint)) ?? first;
}

/**
 * Width of a line of text in pixels in the packaged fonts: the sum of advance widths. Kerning would save a few tenths, joined letters of
 * Arabic and others a little more.
 */
export function textWidth(text: string, fontSizePx: number, weight: FontWeight = 'normal'): number {
  const first = fontIn(FONT_FILES[weight]);
  let ems = 0;
  for (const character of text) {
    const font = fontFor(character, first);
    ems += font.glyphForCodePoint(character.codePointAt(0)!).advanceWidth / font.unitsPerEm;
  }
  return ems * fontSizePx;
}

/** Returns the text itself where it fits into `maxWidthPx`, otherwise its beginning and an ellipsis. */
export const fitText = (text: string, maxWidthPx: number, fontSizePx: number, weight: FontWeight = 'normal'): string =>
  longest(
    text,
    (characters, count) => `${characters.slice(0, count).join('').trimEnd()}…`,
    (fitted) => textWidth(fitted, fontSizePx, weight) <= maxWidthPx,
  );

/** Fits like `fitText`, and keeps the end of the text too: names of many things often differ there. */
export const fitBothEnds = (text: string, maxWidthPx: number, fontSizePx: number): string =>
  longest(
    text,
    (characters, count) => {
      const end = Math.floor(count / 2);
      const tail = end === 0 ? '' : characters.slice(-end).join('').trimStart();
      return `${characters
        .slice(0, count - end)
        .join('')
        .trimEnd()}…${tail}`;
    },
    (fitted) => textWidth(fitted, fontSizePx) <= maxWidthPx,
  );

/** Returns the text, or what `shorten` leaves of it with the most characters that fit; empty where none does. */
function longest(
  text: string,
  shorten: (characters: readonly string[], count: number) => string,
  fits: (text: string) => boolean,
): string {
  if (fits(text)) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(shorten(characters, middle))) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : shorten(characters, low);
}
