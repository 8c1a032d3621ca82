import { signal } from '@preact/signals';
import type { ProgramWords } from '../../../words/en/program.ts';
import { type Language, language } from '../../../words/index.ts';

/** The words of this part alone come with it. */
const LOADERS: Readonly<Record<Language, () => Promise<ProgramWords>>> = {
  en: () => import('../../../words/en/program.ts').then(({ program }) => program),
  de: () => import('../../../words/de/program.ts').then(({ program }) => program),
};
const loaded = signal<ProgramWords | undefined>(undefined);

export async function loadWords(): Promise<void> {
  const wanted = language.value;
  const words = await LOADERS[wanted]();
  if (language.peek() === wanted) loaded.value = words;
}

/** Read within the part, which waits for them. */
export function say(): ProgramWords {
  if (loaded.value === undefined) throw new Error('words are read before they are loaded');
  return loaded.value;
}
