import { categoryName } from '../data/account/categories.ts';
import { className } from '../data/nodes/classes.ts';
import { wordsOf } from '../format/words.ts';
import type { FormWords } from '../ui/form/index.ts';
import { longTime } from '../ui/form/numbers.ts';
import type { TableWords } from '../ui/table/index.ts';
import { attributeWords } from '../words/attributes.ts';
import { words } from '../words/index.ts';

export const tableWords = (): TableWords => words.value.table;

/** Names attributes and choices by their words: those of the language, otherwise those that their names are made of. */
export function formWords(): FormWords {
  const { form } = words.value;
  const { labels, choices, hints } = attributeWords();
  return {
    ...form,
    hints,
    label: (name) => labels[name] ?? wordsOf(name.replace(/Seconds$/, '').replace(/Id$/, '')),
    choice: (field, value) => {
      if (field === '_class') return className(String(value));
      if (field === 'categoryId') return categoryName(String(value)) ?? String(value);
      if (field.endsWith('Seconds')) return longTime(Number(value)) || `${value} s`;
      // Short codes and codes of formats are what they are called.
      return choices[value] ?? (/^[A-Z][A-Z_]{3,}$/.test(String(value)) ? wordsOf(String(value)) : String(value));
    },
  };
}
