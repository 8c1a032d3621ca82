import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/station.ts').then(({ station }) => station),
  de: () => import('../../words/de/station.ts').then(({ station }) => station),
});
