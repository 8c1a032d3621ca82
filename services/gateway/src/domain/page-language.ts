/** Languages of pages before the sign-in; the console has its own choice. */
const PAGE_LANGUAGES = ['en', 'de'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Most browsers send few; their order is the reader's. */
const MOST_LANGUAGES = 10;

/** Returns what a browser says that its reader reads, in that order: two letters each. */
export const languagesOf = (acceptLanguage = ''): string[] =>
  acceptLanguage.split(',', MOST_LANGUAGES).map((language) => language.trim().slice(0, 2).toLowerCase());

export const pageLanguage = (acceptLanguage: string | undefined): PageLanguage =>
  languagesOf(acceptLanguage)
    .map((language) => PAGE_LANGUAGES.find((known) => known === language))
    .find((language) => language !== undefined) ?? 'en';
