import { pageWords } from '../../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../../words/en/mend.ts').then(({ mend }) => mend),
  de: () => import('../../../words/de/mend.ts').then(({ mend }) => mend),
});
