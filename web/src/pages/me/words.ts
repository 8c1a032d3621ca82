import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/me.ts').then(({ me }) => me),
  de: () => import('../../words/de/me.ts').then(({ me }) => me),
});
