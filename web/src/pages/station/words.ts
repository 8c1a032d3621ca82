import { signal } from '@preact/signals';
import type { StationWords } from '../../words/en/station.ts';
import { type Language, language } from '../../words/index.ts';

/** The words of this page alone come with it: the shell stays light. */
const LOADERS: Readonly<Record<Language, () => Promise<StationWords>>> = {
  en: () => import('../../words/en/station.ts').then(({ station }) => station),
  de: () => import('../../words/de/station.ts').then(({ station }) => station),
};

const loaded = signal<{ readonly language: Language; readonly words: StationWords } | undefined>(undefined);

/** Undefined until they are here. */
export const hasWords = (): boolean => loaded.value?.language === language.value;

export async function loadWords(): Promise<void> {
  const wanted = language.value;
  const words = await LOADERS[wanted]();
  if (language.peek() === wanted) loaded.value = { language: wanted, words };
}

/** Read within the page, which waits for them. */
export function say(): StationWords {
  if (loaded.value === undefined) throw new Error('words are read before they are loaded');
  return loaded.value.words;
}
