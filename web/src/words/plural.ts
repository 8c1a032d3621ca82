/** Forms of a sentence by a count: `#` stands for the number; `zero` is of nothing, in every language. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

type Told = { readonly rules: Intl.PluralRules; readonly numbers: Intl.NumberFormat };
const told = new Map<string, Told>();

/** Made with the first count, once: they take their time, and there are words of many pages. */
function toldIn(locale: string): Told {
  let known = told.get(locale);
  if (known === undefined) {
    known = { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) };
    told.set(locale, known);
  }
  return known;
}

/** `counted('en')(3, { one: '# node', other: '# nodes' })` is "3 nodes". */
export const counted =
  (locale: string) =>
  (count: number, forms: Forms): string => {
    const { rules, numbers } = toldIn(locale);
    const exact = count === 0 ? forms.zero : undefined;
    return (exact ?? forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
  };
