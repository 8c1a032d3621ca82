import type { Words } from '../en.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const form: Words['form'] = {
  usual: (text) => `Wie üblich (${text})`,
  none: 'keine Angabe',
  on: 'an',
  off: 'aus',
  secretSet: 'ist gesetzt und wird nicht gezeigt',
  secretNone: 'ist nicht gesetzt',
  secretReplace: 'Ersetzen',
  secretKeep: 'Bisheriges behalten',
  secretRemove: 'Entfernen',
  add: (what) => `${what}: hinzufügen`,
  remove: (what) => `${what} entfernen`,
  up: 'Nach oben',
  down: 'Nach unten',
  item: (index) => `Eintrag ${index}`,
  kind: 'Art',
  chooseColour: (what: string) => `Wählen: ${what}`,
  notNumber: 'Das ist keine Zahl.',
  notJson: 'Das ist kein JSON.',
  required: 'Muss angegeben werden',
  tooLong: (most, count) => `Höchstens ${most} Zeichen; das sind ${count}.`,
  changes: (count) =>
    n(count, { one: '# Änderung, noch nicht gespeichert', other: '# Änderungen, noch nicht gespeichert' }),
  before: 'vorher:',
  after: 'nachher:',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  discard: 'Verwerfen',
  kept: 'Was Sie schreiben, bleibt in diesem Tab erhalten.',
  locked: 'Das lässt sich nicht mehr ändern. Was Sie geschrieben haben, bleibt in diesem Tab erhalten.',
  conflict: 'Jemand anderes hat dasselbe geändert',
  conflictAdvice: 'Noch ist nichts gespeichert. Wählen Sie jeweils, was gelten soll, und speichern Sie dann.',
  base: 'Wie es war',
  theirs: 'Die anderen',
  mine: 'Ich',
  takeTheirs: 'Das der anderen nehmen',
  takeMine: 'Meines behalten',
  nothing: 'nichts',
};
