import { pageWords } from '../../words/page-words.ts';

export const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/devices.ts').then(({ devices }) => devices),
  de: () => import('../../words/de/devices.ts').then(({ devices }) => devices),
});
