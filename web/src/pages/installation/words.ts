import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: async () => (await import('../../words/en/operator.ts')).operator,
  de: async () => (await import('../../words/de/operator.ts')).operator,
});
