/** Code units order texts without accents and signs, and with no number of more than nine digits, as English and German do. */
const PLAIN = /^(?:[A-Za-z ]|\d{1,9}(?!\d))*$/;
const PLAIN_LANGUAGE = /^(?:en|de)(?:-|$)/;
const ZERO = 48;

/** Making one takes longer than ordering a short list by it. */
const made = new Map<string, Intl.Collator['compare']>();
function comparing(locale: string): Intl.Collator['compare'] {
  let compare = made.get(locale);
  if (compare === undefined) {
    ({ compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));
    made.set(locale, compare);
  }
  return compare;
}

/** A number begins with how many digits it has: a longer one is greater. */
const plainKey = (text: string): string =>
  text.toLowerCase().replace(/0*(\d+)/g, (_all, digits: string) => String.fromCharCode(ZERO + digits.length) + digits);

/**
 * Orders texts as people do: with numbers within texts as numbers, and without regard to case. A collation of the browser takes 5 µs for
 * two names: many are compared by what stands for them, where that is the same.
 * @returns compares two texts by their places in the list
 */
export function textOrder(texts: readonly string[], locale: string): (a: number, b: number) => number {
  if (PLAIN_LANGUAGE.test(locale) && texts.every((text) => PLAIN.test(text))) {
    const keys = texts.map(plainKey);
    return (a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : 0);
  }
  const compare = comparing(locale);
  return (a, b) => compare(texts[a]!, texts[b]!);
}
