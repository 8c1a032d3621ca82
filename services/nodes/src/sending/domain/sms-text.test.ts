import { cutToOneSms } from './sms-text.ts';

test.each([
  ['160 characters of GSM-7 fit', 'a'.repeat(160), 160],
  ['the next one does not', 'a'.repeat(161), 160],
  ['letters of the basic alphabet count once', 'é'.repeat(161), 160],
  ['those of its extension count twice', '€'.repeat(81), 80],
  ['one that would not fit whole is left out', `${'a'.repeat(159)}€`, 159],
  ['a character of neither leaves 70', `ő${'a'.repeat(160)}`, 70],
  ['unless it is behind the end', `${'a'.repeat(160)}ő`, 160],
  ['an emoji takes two of them, and is not cut in half', `${'a'.repeat(69)}💧`, 69],
  ['nor is one of several code points', `${'a'.repeat(60)}👩‍👩‍👧‍👦`, 60],
  ['nothing stays nothing', '', 0],
])('%s', (_what, text, length) => {
  expect(cutToOneSms(text)).toHaveLength(length);
  expect(text.startsWith(cutToOneSms(text))).toBe(true);
});

test('a letter that is written as two characters counts as the one that it is', () => {
  expect(cutToOneSms('e\u0301'.repeat(161))).toBe('é'.repeat(160));
});
