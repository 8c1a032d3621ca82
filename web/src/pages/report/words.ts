import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/report.ts').then(({ report }) => report),
  de: () => import('../../words/de/report.ts').then(({ report }) => report),
});
