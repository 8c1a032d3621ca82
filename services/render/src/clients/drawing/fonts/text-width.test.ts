import { readFileSync } from 'node:fs';
import { openSync } from 'fontkit';
import { SCRIPT_FONTS } from './script-fonts.ts';
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

/** "Water" or "water level" in the languages of the scripts, and signs. */
const SCRIPT_SAMPLES = [
  '水位 水位計',
  'みず ミズ',
  '수위',
  'مستوى الماء',
  'מפלס המים',
  'जल स्तर',
  'জল',
  'ਪਾਣੀ',
  'પાણી',
  'ଜଳ',
  'நீர்',
  'నీరు',
  'ನೀರು',
  'വെള്ളം',
  'ජලය',
  'ระดับน้ำ',
  'ນ້ຳ',
  'ទឹក',
  'ရေ',
  'ཆུ',
  'ᠤᠰᠤ',
  'წყალი',
  'ջուր',
  'ውሃ',
  'ފެން',
  'ܡܝܐ',
  'ᎠᎹ',
  '∑∫⇒',
  '☀⚠➤',
];

test.each(SCRIPT_SAMPLES)('%s is measured by a font that has its letters', (text) => {
  for (const character of text.replaceAll(' ', '')) {
    const fonts = SCRIPT_FONTS.filter(({ covers }) => covers.test(character) || /\p{sc=Inherited}/u.test(character));
    const has = [...fonts.map(({ file }) => file), FONT_FILES.normal].some((file) => {
      const font = openSync(file);
      return !('fonts' in font) && font.hasGlyphForCodePoint(character.codePointAt(0)!);
    });
    expect([character, has]).toEqual([character, true]);
  }
  const unknown = textWidth('\u{e000}'.repeat([...text].length), 12);
  expect(textWidth(text, 12)).not.toBe(unknown);
});

test('the reference names the scripts that have a font', () => {
  const page = readFileSync(new URL('../../../../../../docs/reference/charts.md', import.meta.url), 'utf8');
  const [paragraph = ''] = /^Names and titles may be in .*?\n\n/ms.exec(page) ?? [];
  const scripts = SCRIPT_FONTS.flatMap(({ covers }) =>
    [...covers.source.matchAll(/\\p\{sc=(\w+)\}/g)].map(([, name]) => name),
  );
  expect(scripts.length).toBeGreaterThan(25);
  expect(scripts.filter((name) => !paragraph.includes(name ?? ''))).toEqual([]);
});

test('a letter of a script without a font has the width of its box', () => {
  expect(textWidth('ꦧ', 12)).toBe(textWidth('\u{e000}', 12));
});
