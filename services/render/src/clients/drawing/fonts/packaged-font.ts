import { FONTS, fileOf } from '../../../../fonts/fonts.ts';

/**
 * Returns the file of a font that lies in fonts/.
 * @param style as fonts.json names it: 400Regular, 700Bold_Italic …
 */
export function packagedFont(family: string, style: string): string {
  const font = FONTS.find((font) => font.family === family);
  if (!font?.styles.includes(style)) throw new Error(`${family} ${style} is not in fonts/fonts.json`);
  return fileOf(font, style);
}
