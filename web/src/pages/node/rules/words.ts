import { signal } from '@preact/signals';
import type { RulesWords } from '../../../words/en/rules.ts';
import { type Language, language } from '../../../words/index.ts';

/** The words of this part alone come with it. */
const LOADERS: Readonly<Record<Language, () => Promise<RulesWords>>> = {
  en: () => import('../../../words/en/rules.ts').then(({ rules }) => rules),
  de: () => import('../../../words/de/rules.ts').then(({ rules }) => rules),
};
const loaded = signal<RulesWords | undefined>(undefined);

export async function loadWords(): Promise<void> {
  const wanted = language.value;
  const words = await LOADERS[wanted]();
  if (language.peek() === wanted) loaded.value = words;
}

/** Read within the part, which waits for them. */
export function say(): RulesWords {
  if (loaded.value === undefined) throw new Error('words are read before they are loaded');
  return loaded.value;
}
