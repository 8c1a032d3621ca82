import { pageWords } from '../../../words/page-words.ts';

export const { loadWords, say } = pageWords({
  en: () => import('../../../words/en/program.ts').then(({ program }) => program),
  de: () => import('../../../words/de/program.ts').then(({ program }) => program),
});
