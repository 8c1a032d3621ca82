import { pageWords } from '../../../words/page-words.ts';

export const { loadWords, say } = pageWords({
  en: () => import('../../../words/en/rules.ts').then(({ rules }) => rules),
  de: () => import('../../../words/de/rules.ts').then(({ rules }) => rules),
});
