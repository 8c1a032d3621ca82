import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/templates.ts').then(({ templates }) => templates),
  de: () => import('../../words/de/templates.ts').then(({ templates }) => templates),
});
