import { signal } from '@preact/signals';
import type { AttributeWords } from './en/attributes.ts';
import { type Language, language } from './index.ts';

const LOADERS: Readonly<Record<Language, () => Promise<AttributeWords>>> = {
  en: () => import('./en/attributes.ts').then(({ attributes }) => attributes),
  de: () => import('./de/attributes.ts').then(({ attributes }) => attributes),
};
const NONE: AttributeWords = { labels: {}, choices: {}, hints: {} };
const loaded = signal<Partial<Record<Language, AttributeWords>>>({});
const asked = new Map<Language, Promise<void>>();

/** Loads words that only forms need: they come with the first one. */
export function loadAttributeWords(): Promise<void> {
  const wanted = language.value;
  const coming = asked.get(wanted) ?? load(wanted);
  asked.set(wanted, coming);
  return coming;
}

async function load(wanted: Language): Promise<void> {
  try {
    const words = await LOADERS[wanted]();
    loaded.value = { ...loaded.peek(), [wanted]: words };
  } catch (error) {
    asked.delete(wanted);
    throw error;
  }
}

/** Returns the words of the language that is shown; until they are here, attributes are called by their names. */
export function attributeWords(): AttributeWords {
  const words = loaded.value[language.value];
  if (!words) loadAttributeWords().catch(() => undefined);
  return words ?? NONE;
}
