/** Forms of a sentence by a count: `#` stands for the number; `zero` is of nothing, in every language. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

type LocaleRules = { readonly rules: Intl.PluralRules; readonly numbers: Intl.NumberFormat };
const byLocale = new Map<string, LocaleRules>();

/** Made with the first count, once: they take their time, and there are words of many pages. */
function rulesIn(locale: string): LocaleRules {
  let known = byLocale.get(locale);
  if (known === undefined) {
    known = { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) };
    byLocale.set(locale, known);
  }
  return known;
}

/** `counted('en')(3, { one: '# node', other: '# nodes' })` is "3 nodes". */
export const counted =
  (locale: string) =>
  (count: number, forms: Forms): string => {
    const { rules, numbers } = rulesIn(locale);
    const exact = count === 0 ? forms.zero : undefined;
    return (exact ?? forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
  };
