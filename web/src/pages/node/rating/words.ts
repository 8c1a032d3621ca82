import { signal } from '@preact/signals';
import type { RatingWords } from '../../../words/en/rating.ts';
import { type Language, language } from '../../../words/index.ts';

/** The words of this part alone come with it. */
const LOADERS: Readonly<Record<Language, () => Promise<RatingWords>>> = {
  en: () => import('../../../words/en/rating.ts').then(({ rating }) => rating),
  de: () => import('../../../words/de/rating.ts').then(({ rating }) => rating),
};
const loaded = signal<RatingWords | undefined>(undefined);

export async function loadWords(): Promise<void> {
  const wanted = language.value;
  const words = await LOADERS[wanted]();
  if (language.peek() === wanted) loaded.value = words;
}

/** Read within the part, which waits for them. */
export function say(): RatingWords {
  if (loaded.value === undefined) throw new Error('words are read before they are loaded');
  return loaded.value;
}
