import type { Words } from '../en.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const table: Words['table'] = {
  filter: 'Filter',
  filterHint: 'Diese Zeilen filtern',
  columns: 'Spalten',
  copy: 'Kopieren',
  copied: (rows) => `${rows} Zeilen kopiert`,
  export: 'Als CSV sichern',
  chooseAll: 'Alle auswählen',
  chooseNone: 'Keine auswählen',
  chosen: (count) => `${count} ausgewählt`,
  rows: (count, isPart) => (isPart ? `bisher ${count}` : `insgesamt ${count}`),
  noMatch: 'Diese Wörter stehen in keiner Zeile.',
  showAll: 'Alle zeigen',
  chooseRow: 'Auswählen',
  sortBy: (column) => `Nach ${column} sortieren`,
  keys: 'Pfeile bewegen, Eingabe öffnet, Leertaste wählt aus, Umschalt und Pfeile wählen mehrere.',
  rowCount: (count) => n(count, { one: '# Zeile', other: '# Zeilen' }),
};
