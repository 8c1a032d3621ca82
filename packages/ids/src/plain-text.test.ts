import { onOneLine, textProblem } from './plain-text.ts';

const plain = 'must not contain control characters';
const lines = 'must not contain control characters other than line breaks and tabs';

test.each([
  ['', undefined, undefined],
  ['Fluß 7 «Süd» 水 👩‍🔬 مرحبا', undefined, undefined],
  ['a\tb', plain, undefined],
  ['a\nb', plain, undefined],
  ['a\r\nBcc: x@example.org', plain, undefined],
  ['a\u0000b', plain, lines],
  ['a\u001bb', plain, lines],
  ['a\u007fb', plain, lines],
  ['a\u0085b', plain, lines],
  ['a\u009fb', plain, lines],
  ['a\u2028b', plain, lines],
  ['a\u2029b', plain, lines],
  ['a\u202eb', plain, lines],
  ['a\u2066b', plain, lines],
  ['a\ud800b', 'must be well-formed Unicode', 'must be well-formed Unicode'],
])('%j: %s; with lines: %s', (text, asName, asLines) => {
  expect([textProblem(text), textProblem(text, { lines: true })]).toEqual([asName, asLines]);
});

test('what cannot be refused any more is shown on one line', () => {
  expect(onOneLine('a\r\nb\u2028c\u202ed\ud800')).toBe('a  b c d\ufffd');
});
