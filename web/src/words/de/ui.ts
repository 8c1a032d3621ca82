import type { Words } from '../en.ts';

export const ui: Words['ui'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  add: 'Hinzufügen',
  again: 'Noch einmal versuchen',
  loading: 'Wird geladen',
  more: 'Mehr',
  undo: 'Rückgängig',
  yes: 'Ja',
  no: 'Nein',
  now: 'jetzt',
  noValue: 'kein Wert',
  leave: 'Nicht mehr warten',
};
