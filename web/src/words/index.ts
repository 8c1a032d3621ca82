import { computed, signal } from '@preact/signals';
import type { Words } from './en.ts';

export type { Words } from './en.ts';

export type Language = 'en' | 'de';
/** Languages as each calls itself. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const KEY = 'language';
const LOADERS: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => import('./de.ts').then(({ de }) => de),
};

const current = signal<{ readonly language: Language; readonly words: Words } | undefined>(undefined);

/** The words are in the language that is shown: `words.value.frame.search`. Known once `speak` has been waited for. */
export const words = computed<Words>(() => {
  if (current.value === undefined) throw new Error('words are read before a language is loaded');
  return current.value.words;
});
export const language = computed<Language>(() => current.value?.language ?? 'en');

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

/** Returns the reader's choice, otherwise the first of the browser's languages that there are words of. */
export function preferredLanguage(): Language {
  const stored = readChoice();
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((language) => language.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** Shows a language once its words are here. */
export async function speak(wanted: Language): Promise<void> {
  const loaded = await LOADERS[wanted]();
  document.documentElement.lang = wanted;
  current.value = { language: wanted, words: loaded };
}

/** Does what `speak` does, and remembers the choice in this browser. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // The choice lasts as long as the page where there is no storage.
  }
  await speak(wanted);
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
