import { language, words } from '../words/index.ts';
import { localeOf } from './times.ts';

/** Collects what tables say, and how they order texts. */
export const tableTexts = () => ({ words: words.value.table, locale: localeOf(language.value) });
