/** Forms of a sentence by a count: `#` stands for the number; `zero` is of nothing, in every language. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** `counted('en')(3, { one: '# node', other: '# nodes' })` is "3 nodes". */
export function counted(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count, forms) => {
    const exact = count === 0 ? forms.zero : undefined;
    return (exact ?? forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
  };
}
