import type { Words } from '../en.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const tree: Words['tree'] = {
  title: 'Knoten',
  failed: 'Diese Ebene konnte nicht geladen werden.',
  more: (count) => `Mehr laden (${count} gezeigt)`,
  loading: 'Wird geladen',
  emptyTitle: 'Hier ist noch nichts',
  emptyAdmin: 'Beginnen Sie mit einem Arbeitsbereich: Er enthält Orte, ihre Quellen und was sie messen.',
  emptyUser: 'Mit Ihnen ist noch kein Arbeitsbereich geteilt. Das kann tun, wer das Konto verwaltet.',
  alarms: (active, acknowledged) =>
    [
      active > 0 ? n(active, { one: '# aktiver Alarm', other: '# aktive Alarme' }) : '',
      acknowledged > 0 ? n(acknowledged, { one: '# quittierter Alarm', other: '# quittierte Alarme' }) : '',
    ]
      .filter((text) => text !== '')
      .join(', '),
  actions: (name) => `Aktionen für ${name}`,
  newWorkspace: 'Neuer Arbeitsbereich',
  addStation: 'Station anlegen',
  create: 'Anlegen …',
  createIn: (name) => `In «${name}» anlegen`,
  createTop: 'Neuer Arbeitsbereich',
  open: 'Öffnen',
  settings: 'Einstellungen',
  rename: 'Umbenennen',
  clone: 'Kopieren …',
  move: 'Verschieben …',
  delete: 'Löschen …',
  renameLabel: (name) => `Neuer Name von ${name}`,
  renamed: (before, after) => `«${before}» heißt jetzt «${after}».`,
  renameWarnings: (count) =>
    n(count, {
      one: '# Programm, Diagramm oder Seite findet ihn vielleicht nicht mehr.',
      other: '# Programme, Diagramme oder Seiten finden ihn vielleicht nicht mehr.',
    }),
  moved: (name, where) => `«${name}» wurde nach «${where}» verschoben.`,
  created: (name) => `«${name}» wurde angelegt.`,
  kind: 'Was',
  name: 'Name',
  nameHint: 'Bis zu 120 Zeichen, ohne / _ ; { }',
  units: 'Einheit',
  unitsHint: 'Zum Beispiel m, °C oder m³/s',
  latitude: 'Breite',
  longitude: 'Länge',
  positionHint: 'In Grad, zum Beispiel 39.3112 und -76.7164. Das geht auch später.',
  positionWrong:
    'Die Breite liegt zwischen -90 und 90, die Länge zwischen -180 und 180; geben Sie beide oder keine an.',
  description: 'Beschreibung',
  createButton: 'Anlegen',
  cloneTitle: (name) => `«${name}» kopieren`,
  cloneHint:
    'Alles darunter wird mitkopiert: Einstellungen, Zustände, Parser, Diagramme. Datensätze und Ereignisse nicht.',
  cloneButton: 'Kopieren',
  cloning: (name) => `«${name}» wird kopiert`,
  cloned: (name) => `«${name}» wurde kopiert.`,
  where: 'Wohin',
  whereHint: 'Tippen Sie einen Teil des Namens eines Arbeitsbereichs, Ordners oder Orts',
  whereSame: 'Wo er ist',
  whereNone: 'Wählen Sie, wohin.',
  whereWrong: (what, where) => `«${what}» kann nicht in «${where}» liegen.`,
  moveTitle: (name) => `«${name}» verschieben`,
  moveQuestion: (name, where) => `«${name}» nach «${where}» verschieben?`,
  moveButton: 'Verschieben',
  below: (count) => n(count, { zero: '', one: '# Knoten darunter geht mit.', other: '# Knoten darunter gehen mit.' }),
  belowNone: 'Darunter liegt nichts.',
  counting: 'Was darunter liegt, wird gezählt …',
  countFailed: 'Was darunter liegt, konnte nicht gezählt werden.',
  otherWorkspace: 'Wer ihn sehen darf und welche Meldungen hinausgehen, folgt dann dem anderen Arbeitsbereich.',
  deleteTitle: (name) => `«${name}» löschen?`,
  deleteLost: 'Das ist endgültig verloren:',
  deleteNodes: (count, kind) => `${n(count, { other: '#' })} × ${kind}`,
  deleteRecords: 'alle Datensätze, Ereignisse, Alarme und Dateien dieser Knoten',
  deleteShown: (count) =>
    n(count, {
      one: '# Seite außerhalb zeigt etwas davon und bekommt eine Lücke:',
      other: '# Seiten außerhalb zeigen etwas davon und bekommen Lücken:',
    }),
  deleteButton: (count) => n(count, { one: '# Knoten löschen', other: '# Knoten löschen' }),
  deleting: (name) => `«${name}» wird gelöscht`,
  deleted: (name) => `«${name}» wurde gelöscht.`,
  stillRunning: 'Es geht im Hintergrund weiter: Die Glocke zeigt es.',
  dropHint: (name, where) => `${name} nach ${where} verschieben`,
  severalMoved: (count, where) =>
    n(count, {
      one: `# Knoten wurde nach «${where}» verschoben.`,
      other: `# Knoten wurden nach «${where}» verschoben.`,
    }),
  severalDeleted: (count) => n(count, { one: '# Knoten wurde gelöscht.', other: '# Knoten wurden gelöscht.' }),
  deletingSeveral: (count) => n(count, { one: '# Knoten wird gelöscht', other: '# Knoten werden gelöscht' }),
  deleteSeveralTitle: (count) => n(count, { one: '# Knoten löschen?', other: '# Knoten löschen?' }),
  moveSeveralTitle: (count) => n(count, { one: '# Knoten verschieben', other: '# Knoten verschieben' }),
  moveSeveralQuestion: (count, where) =>
    n(count, { one: `# Knoten nach «${where}» verschieben?`, other: `# Knoten nach «${where}» verschieben?` }),
  andMore: (count) => n(count, { one: 'und # weiterer', other: 'und # weitere' }),
  moveSeveral: (count) => n(count, { one: '# Knoten verschieben …', other: '# Knoten verschieben …' }),
  deleteSeveral: (count) => n(count, { one: '# Knoten löschen …', other: '# Knoten löschen …' }),
  chosen: (count) =>
    n(count, { zero: 'Kein Knoten ist gewählt', one: '# Knoten ist gewählt', other: '# Knoten sind gewählt' }),
  letGo: 'Auswahl aufheben',
  chooseKeys: 'Umschalt und Pfeile, oder Strg und Leertaste, wählen mehrere.',
};
