import { isStorableText, storableText } from './index.ts';

test.each([
  ['nothing', ''],
  ['a tab and line breaks', 'a\tb\r\nc'],
  ['the other control characters', '\u0001\u0008\u001f\u007f\u0085'],
  ['noncharacters', '\ufffe\uffff\ufdd0\u{1ffff}'],
  ['characters that turn the direction', '\u202e\u2066'],
  ['combining characters alone', '\u0301\u20dd'],
  ['characters of two units', '😀\u{10ffff}'],
  ['private ones', '\ue000\u{f0000}'],
])('%s can be stored, and stays what it is', (_what, text) => {
  expect(isStorableText(text)).toBe(true);
  expect(storableText(text)).toBe(text);
});

test.each([
  ['U+0000', 'a\0b', 'a\ufffdb'],
  ['a run of them', '\0\0\0', '\ufffd\ufffd\ufffd'],
  ['a first half', 'a\ud83d', 'a\ufffd'],
  ['a second half', '\ude00a', '\ufffda'],
  ['the halves the wrong way round', '\ude00\ud83d', '\ufffd\ufffd'],
])('%s cannot be stored, and is replaced where nobody can be asked', (_what, text, instead) => {
  expect(isStorableText(text)).toBe(false);
  expect(storableText(text)).toBe(instead);
});
