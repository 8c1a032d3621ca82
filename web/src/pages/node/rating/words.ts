import { pageWords } from '../../../words/page-words.ts';

export const { loadWords, say } = pageWords({
  en: () => import('../../../words/en/rating.ts').then(({ rating }) => rating),
  de: () => import('../../../words/de/rating.ts').then(({ rating }) => rating),
});
