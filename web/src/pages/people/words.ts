import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/people.ts').then(({ people }) => people),
  de: () => import('../../words/de/people.ts').then(({ people }) => people),
});
