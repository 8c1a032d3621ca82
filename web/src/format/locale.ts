export type Locales = {
  /** The page is in English; dates follow the reader's own kind of English. */
  readonly dates: string;
  /** Numbers have the separators of the reader's first language, and the digits of the page. */
  readonly numbers: string;
};

/** @param languages that a browser names: some are none, such as `C` or `en-US@posix` of some systems */
export function localesOf(languages: readonly string[]): Locales {
  const known = languages.filter(isKnown);
  const dates = known.find((language) => /^en(?:-|$)/.test(language)) ?? 'en-GB';
  return { dates, numbers: new Intl.Locale(known[0] ?? dates, { numberingSystem: 'latn' }).toString() };
}

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}

export const { dates: LOCALE, numbers: NUMBERS }: Locales = localesOf(globalThis.navigator?.languages ?? []);
