import { signal } from '@preact/signals';
import type { MendWords } from '../../../words/en/mend.ts';
import { type Language, language } from '../../../words/index.ts';

/** Words of mending come with it: the shell stays light. */
const LOADERS: Readonly<Record<Language, () => Promise<MendWords>>> = {
  en: () => import('../../../words/en/mend.ts').then(({ mend }) => mend),
  de: () => import('../../../words/de/mend.ts').then(({ mend }) => mend),
};

const loaded = signal<{ readonly language: Language; readonly words: MendWords } | undefined>(undefined);

export async function loadWords(): Promise<void> {
  const wanted = language.value;
  const words = await LOADERS[wanted]();
  if (language.peek() === wanted) loaded.value = { language: wanted, words };
}

export const hasWords = (): boolean => loaded.value?.language === language.value;

/** Read within this part, which waits for them. */
export function say(): MendWords {
  if (loaded.value === undefined) throw new Error('words are read before they are loaded');
  return loaded.value.words;
}
