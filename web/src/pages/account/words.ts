import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: async () => (await import('../../words/en/account.ts')).account,
  de: async () => (await import('../../words/de/account.ts')).account,
});
