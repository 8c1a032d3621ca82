import type { RatingWords } from '../en/rating.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const rating: RatingWords = {
  readOnly: 'Sie können die Abflusskurve hier ansehen, aber nicht ändern.',
  input: 'Eingabe',
  inputText: 'Der Parameter, dessen Messwerte umgerechnet werden.',
  ratings: 'Kurven nach ihrem Datum',
  entries: 'Kurven',
  none: 'Es gibt noch keine Kurve. Fügen Sie eine hinzu, oder lesen Sie eine Datei ein.',
  from: (time) => `ab ${time}`,
  noTime: 'ohne Datum',
  kindTable: (rows) => n(rows, { one: 'Tabelle mit # Zeile', other: 'Tabelle mit # Zeilen' }),
  kindPolynomial: (count) => n(count, { one: 'Polynom mit # Koeffizient', other: 'Polynom mit # Koeffizienten' }),
  addTable: 'Tabelle hinzufügen',
  addPolynomial: 'Polynom hinzufügen',
  copy: 'Diese kopieren',
  remove: 'Diese entfernen',
  startTime: 'Gültig ab',
  startText: 'Sie gilt, bis die nächste beginnt.',
  table: 'Zeilen der Tabelle',
  inputOf: (row) => `Eingabe von Zeile ${row}`,
  resultOf: (row) => `Ergebnis von Zeile ${row}`,
  inputHead: 'Eingabe',
  resultHead: 'Ergebnis',
  addRow: 'Zeile hinzufügen',
  removeRow: (row) => `Zeile ${row} entfernen`,
  pasteHint: 'Zeilen lassen sich aus einer Tabelle einfügen: zwei Spalten, Eingabe und Ergebnis.',
  doubled: 'Eine andere Zeile hat diese Eingabe schon.',
  coefficient: (letter, power) =>
    power === 0 ? `${letter}: Konstante` : power === 1 ? `${letter}: mal x` : `${letter}: mal x hoch ${power}`,
  addCoefficient: 'Koeffizient hinzufügen',
  removeCoefficient: 'Letzten Koeffizienten entfernen',
  chart: 'Diese Kurve',
  chartHint:
    'Ziehen Sie einen Punkt, oder bewegen Sie ihn mit den Pfeiltasten: mit Umschalt zehn Schritte. Bild auf und Bild ab gehen zum nächsten Punkt, Entf entfernt ihn.',
  point: (row, input, result) => `Zeile ${row}: Eingabe ${input}, Ergebnis ${result}`,
  pointLabel: (row) => `Punkt von Zeile ${row}`,
  tooMany: 'Es sind zu viele Punkte, um sie hier zu bewegen. Ändern Sie sie in der Tabelle.',
  logarithmic: 'Logarithmische Achsen',
  effect: 'Was sie aus den letzten Messwerten macht',
  effectNone: 'Die Eingabe hat noch keine Messwerte.',
  effectFailed: 'Die Messwerte der Eingabe konnten nicht gelesen werden.',
  effectSame: (records) =>
    n(records, {
      one: 'Der letzte Messwert hat dasselbe Ergebnis wie bisher.',
      other: 'Die letzten # Messwerte haben dieselben Ergebnisse wie bisher.',
    }),
  effectChanged: (changed, records, most) =>
    `${changed} der letzten ${records} Messwerte haben ein anderes Ergebnis; der größte Unterschied ist ${most}.`,
  effectWithout: (count) =>
    n(count, {
      one: '# Messwert bekommt keinen Wert: Er liegt außerhalb der Tabelle oder vor dem ersten Datum.',
      other: '# Messwerte bekommen keinen Wert: Sie liegen außerhalb der Tabelle oder vor dem ersten Datum.',
    }),
  effectChart: 'Ergebnisse der letzten Messwerte: bisher in Grau, wie eingegeben in Farbe',
  before: 'wie gespeichert',
  after: 'wie eingegeben',
  csv: 'Datei',
  csvOut: 'Als Datei speichern (CSV)',
  csvIn: 'Datei einlesen',
  csvDrop: 'oder legen Sie eine CSV-Datei hier ab. Ihre Kurven ersetzen alle gespeicherten.',
  csvRead: 'Die Datei wurde gelesen, und die Reihe wird neu berechnet.',
  csvRefused: (text) => `Die Datei wurde abgelehnt: ${text}`,
  undo: 'Rückgängig',
  undone: 'Die Kurven von vorher sind wieder da.',
  whole: 'Speichern berechnet die ganze Reihe neu.',
};
