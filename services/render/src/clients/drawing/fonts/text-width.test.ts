import { openSync } from 'fontkit';
import { FONT_FILES, fitText, textWidth } from './text-width.ts';

test.each(Object.entries(FONT_FILES))(
  'the %s font has the letters and signs that units and names need',
  (_weight, file) => {
    const font = openSync(file);
    const needed = '°²³µμΩ‰±×·−–…₂₃ÄÖÜßéñçøåœαβγδθλπσφЖДяіїąęłžőşğ€"';
    const missing = [...needed].filter(
      (character) => !('fonts' in font) && !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
    expect(missing).toEqual([]);
  },
);

test('widths grow with size, length and weight', () => {
  expect(textWidth('', 12)).toBe(0);
  expect(textWidth('mm', 12)).toBeCloseTo(2 * textWidth('m', 12));
  expect(textWidth('m', 24)).toBeCloseTo(2 * textWidth('m', 12));
  expect(textWidth('Level', 12, 'bold')).toBeGreaterThan(textWidth('Level', 12));
});

test.each([
  ['a text that fits stays', 'Level', 200, 'Level'],
  ['a longer one ends in an ellipsis', 'Level of the river', 60, /^Level…$|^Level o.*…$/],
  ['nothing is left where nothing fits', 'Level', 3, ''],
  ['characters are not cut in halves', '𝔘𝔘𝔘𝔘𝔘𝔘', 40, /^(𝔘)+…$/u],
])('%s', (_what, text, width, expected) => {
  const fitted = fitText(text, width, 12);
  expect(textWidth(fitted, 12)).toBeLessThanOrEqual(width);
  if (typeof expected === 'string') expect(fitted).toBe(expected);
  else expect(fitted).toMatch(expected);
});
