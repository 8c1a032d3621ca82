import { signal } from '@preact/signals';
import { type Language, language } from './index.ts';

/** Loads words of one page alone, which come with it: the shell stays light. */
export function pageWords<W>(loaders: Readonly<Record<Language, () => Promise<W>>>) {
  const loaded = signal<{ readonly language: Language; readonly words: W } | undefined>(undefined);
  return {
    /** False until they are here. */
    hasWords: (): boolean => loaded.value?.language === language.value,
    loadWords: async (): Promise<void> => {
      const wanted = language.value;
      const words = await loaders[wanted]();
      if (language.peek() === wanted) loaded.value = { language: wanted, words };
    },
    /** Words are read within the page, which waits for them. */
    say: (): W => {
      if (loaded.value === undefined) throw new Error('words are read before they are loaded');
      return loaded.value.words;
    },
  };
}
