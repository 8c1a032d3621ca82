import { textOrder } from './text-order.ts';

const ordered = (texts: readonly string[], locale: string) =>
  texts
    .map((_text, i) => i)
    .sort(textOrder(texts, locale))
    .map((i) => texts[i]);
const PIECES = ['Node', 'node', 'N', ' ', '0', '1', '2', '10', '02', '007', '999999999', 'ode', 'Z', ''];

test.each(['en', 'en-GB', 'de', 'de-AT'])('plain texts come as the collation of %s has them', (locale) => {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const texts = PIECES.flatMap((a) => PIECES.flatMap((b) => PIECES.map((c) => a + b + c))).filter(
    (text) => !/\d{10}/.test(text),
  );
  const order = textOrder(texts, locale);
  for (let a = 0; a < texts.length; a += 7)
    for (let b = 0; b < texts.length; b += 11)
      if (Math.sign(order(a, b)) !== Math.sign(compare(texts[a]!, texts[b]!)))
        expect([texts[a], texts[b], order(a, b)]).toEqual([texts[a], texts[b], compare(texts[a]!, texts[b]!)]);
});

test.each([
  ['accents', 'de', ['zwei', 'über', 'Uhr'], ['über', 'Uhr', 'zwei']],
  ['signs', 'en', ['b-2', 'B_1', 'b 3'], ['b 3', 'B_1', 'b-2']],
  [
    'numbers of many digits',
    'en',
    ['n 20000000000', 'n 3', 'n 100000000000'],
    ['n 3', 'n 20000000000', 'n 100000000000'],
  ],
  ['letters that another language takes together', 'da', ['aa', 'zz', 'ab'], ['ab', 'zz', 'aa']],
])('others come by the collation: %s', (_what, locale, texts, expected) => {
  expect(ordered(texts, locale)).toEqual(expected);
});
