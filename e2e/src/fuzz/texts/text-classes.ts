import { seededRandom } from '@catchment/testkit';

export type TextClass = {
  readonly name: string;
  readonly text: string;
  /** The rule of docs/reference/requests-and-errors.md#texts. */
  readonly isStorable: boolean;
};

/** Unicode has these general categories, besides halves of characters. */
const CATEGORIES = [
  'Lu',
  'Ll',
  'Lt',
  'Lm',
  'Lo',
  'Mn',
  'Mc',
  'Me',
  'Nd',
  'Nl',
  'No',
  'Pc',
  'Pd',
  'Ps',
  'Pe',
  'Pi',
  'Pf',
  'Po',
  'Sm',
  'Sc',
  'Sk',
  'So',
  'Zs',
  'Zl',
  'Zp',
  'Cc',
  'Cf',
  'Co',
  'Cn',
] as const;

/** These do harm somewhere, or did. */
const NAMED: readonly (readonly [string, string])[] = [
  ['U+0000 alone', '\0'],
  ['U+0000 within', 'x\0y'],
  ['a run of U+0000', '\0'.repeat(512)],
  ['a first half', 'x\ud83d'],
  ['a second half', '\ude00y'],
  ['halves the wrong way round', 'x\ude00\ud83dy'],
  ['half a character before a pair', 'x\ud83d😀'],
  ['C0', '\u0001\u0002\u0007\u0008\u000b\u000c\u000e\u001b\u001f'],
  ['DEL and C1', '\u007f\u0080\u0085\u009b\u009f'],
  ['tab and line breaks', 'a\tb\nc\rd\r\ne'],
  ['separators of lines', 'a\u2028b\u2029c'],
  ['noncharacters', 'a\ufffeb\uffffc\ufdd0d\u{1ffff}e\u{10ffff}'],
  ['a byte order mark', '\ufeffa\ufeff'],
  ['the replacement character', 'a\ufffdb'],
  ['turned directions', 'a\u202eb\u2066c\u2069d\u200f'],
  ['joiners', 'a\u200db\u200cc\u00add\u2060e'],
  ['combining alone', '\u0301\u20dd\u0489'],
  ['many combining', `e${'\u0301'.repeat(60)}`],
  ['a family', '👩‍👩‍👧‍👦'],
  ['a flag and its half', '🇨🇭🇨'],
  ['tags', '🏴\u{e0067}\u{e0062}\u{e007f}'],
  ['variation', '☃\ufe0f☃\ufe0e\u{e0100}'],
  ['Hangul in parts', '\u1112\u1161\u11ab'],
  ['case of Turkey', 'İıŞşĞğ'],
  ['case that grows', 'ßﬁΐ'],
  ['astral', '𝄞𐍈𠀀\u{10fffd}'],
  ['private', '\ue000\uf8ff\u{f0000}\u{100000}'],
  ['blanks', '\u00a0\u1680\u2003\u202f\u205f\u3000'],
  ['quotes and backslashes', '"\'\\`\\\\"\\'],
  ['a backslash at the end', 'a\\'],
  ['line protocol', 'h,s=1 v=2i 3\nw,t=\\ x="y'],
  ['markup', '<b>&amp;</b><![CDATA[x]]><!--'],
  ['SQL', "'); DROP TABLE nodes; --"],
  ['a template', '{{ NOW }}{% if x %}%s'],
  ['a formula', '=1+1|cmd'],
  ['a path', '../../etc/passwd'],
  ['headers', 'a\r\nBcc: x@example.org\r\n\r\nb'],
  ['a subject of NATS', 'a.*.>.b'],
  ['a prototype', '__proto__'],
  ['percent', '%00%zz%u0000'],
  ['escapes that are texts', '\\u0000\\ud800\\x00'],
];

/** Returns classes in an order that does not change; a seed chooses the characters of categories. */
export function textClasses(seed: number): TextClass[] {
  const random = seededRandom(seed);
  const categories = CATEGORIES.map(
    (category) => [`category ${category}`, someOf(category, Math.floor(random() * POINTS))] as const,
  );
  const textClass = (name: string, text: string): TextClass => ({
    name,
    text,
    isStorable: !/\0/.test(text) && text.isWellFormed(),
  });
  return [...NAMED, ...categories].map(([name, text]) => textClass(name, text));
}

/** Makes texts of one mebibyte, of one byte and of four for each character. */
export const largeTexts = (): TextClass[] =>
  (
    [
      ['1 MiB', 'x'.repeat(1024 * 1024)],
      ['1 MiB of characters of four bytes', '😀'.repeat(256 * 1024)],
      ['1 MiB of U+0000', '\0'.repeat(1024 * 1024)],
    ] as const
  ).map(([name, text]) => ({ name, text, isStorable: !text.includes('\0') }));

/** Code points of Unicode. */
const POINTS = 0x110000;
const WANTED = 12;
/** The step is coprime with their number: all of them come. */
const STEP = 7_919;

/** Returns some characters of a general category, drawn from all of Unicode. */
function someOf(category: string, from: number): string {
  const is = new RegExp(`^\\p{${category}}$`, 'u');
  let text = '';
  for (let n = 0, found = 0; n < POINTS && found < WANTED; n += 1) {
    const point = (from + n * STEP) % POINTS;
    const character = point > 0 && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : '';
    if (!is.test(character)) continue;
    text += character;
    found += 1;
  }
  return text;
}
