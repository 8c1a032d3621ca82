import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/dash.ts').then(({ dash }) => dash),
  de: () => import('../../words/de/dash.ts').then(({ dash }) => dash),
});
