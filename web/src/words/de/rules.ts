import type { RulesWords } from '../en/rules.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const rules: RulesWords = {
  readOnly: 'Sie dürfen Zustände und Alarme hier ansehen, aber nicht ändern.',
  states: 'Zustände',
  hysteresis: 'Hysterese',
  hysteresisText: 'Ein Zustand endet erst, wenn der Wert um mehr als dies zurückgekommen ist.',
  alarms: 'Alarme',
  kinds: { RANGE: 'Bereiche: ab einem Wert', DISCRETE: 'Einzelne Werte' },
  kindsLabel: 'Wie Zustände gefunden werden',
  kindChanges: 'Eine andere Art beginnt mit ihren eigenen Zuständen. Verwerfen bringt diese zurück.',
  chart: (name) => `Schwellen von ${name} im Diagramm`,
  dragHint:
    'Ziehen Sie eine Schwelle im Diagramm oder bewegen Sie sie mit den Pfeiltasten: mit Umschalt um zehn Schritte.',
  threshold: (state) => `Schwelle von ${state}`,
  stops: {
    above: (own, at, other, from) => `${own} hält bei ${at}: ${other} beginnt bei ${from}.`,
    below: (own, at, other, from) => `${own} hält bei ${at}: ${other} beginnt bei ${from}.`,
    equal: (own, at, other, from) => `${own} bleibt bei ${at}: ${other} hat schon ${from}.`,
  },
  disorder: {
    above: (other, from) => `Sie muss unter ${from} liegen, wo ${other} beginnt.`,
    below: (other, from) => `Sie muss über ${from} liegen, wo ${other} beginnt.`,
    equal: (other, from) => `${other} hat schon ${from}.`,
  },
  addHigh: 'Hohen Zustand hinzufügen',
  addLow: 'Niedrigen Zustand hinzufügen',
  add: 'Zustand hinzufügen',
  remove: (state) => `${state} entfernen`,
  noStates: 'Es gibt keine Zustände: kein Wert bedeutet etwas Besonderes, und keiner löst einen Alarm aus.',
  more: 'Meldungen, Qualität und mehr',
  normal: 'Alles zwischen den niedrigen und den hohen Zuständen.',
  raises: 'löst den Alarm aus',
  counting: 'wird gezählt',
  countFailed: 'Wie oft Zustände eintreten würden, konnte nicht gezählt werden.',
  entered: (count) => n(count, { zero: 'nicht eingetreten', one: 'einmal eingetreten', other: '#-mal eingetreten' }),
  before: (count) => n(count, { zero: 'jetzt gar nicht', one: 'jetzt einmal', other: 'jetzt #-mal' }),
  lasted: (text) => `insgesamt ${text} lang`,
  lastAt: (time) => `zuletzt ${time}`,
  countsOf: (from, to, records) =>
    `Gezählt von ${from} bis ${to}, ${n(records, { one: '# Messwert', other: '# Messwerte' })}: so, wie es die Einstellungen unten ergäben.`,
  countsCut: (from, most) => `Nur die neuesten ${most} Messwerte sind gezählt, ab ${from}.`,
  countsNone: 'In dieser Zeit gibt es keine Messwerte, deren Zustände sich zählen ließen.',
  alarmTypes: {
    communicationsAlarm:
      'Wird ausgelöst, wenn eine Verbindung mit dem Gerät nach allen Versuchen scheitert, und endet, wenn die nächste gelingt.',
    configurationAlarm:
      'Wird ausgelöst, wenn sich ein Programm, eine Datei oder eine Einstellung nicht an den Logger senden lässt, und endet, wenn das nächste Senden gelingt.',
    controlAlarm: 'Wird ausgelöst, wenn der Logger eine Steuerung ablehnt, und endet, wenn die nächste gelingt.',
    dataAlarm:
      'Wird ausgelöst, wenn Messwerte außerhalb der erlaubten Zeit liegen oder eine Datei unlesbar ist, und endet mit den nächsten Daten ohne solchen Fehler.',
    outdatedAlarm:
      'Wird ausgelöst, wenn länger keine neuen Daten kommen, als «Veraltet nach» der Quelle sagt, und endet, sobald sie kommen.',
    overloadAlarm:
      'Wird ausgelöst, wenn eine Tagesgrenze Zeilen oder Dateien verwirft, und endet am nächsten Tag. Er ist immer an.',
    processAlarm:
      'Wird ausgelöst, wenn Programm oder Abflusskurve scheitern oder die Eingabe fehlt, und endet mit dem nächsten Lauf, der gelingt.',
    qualityAlarm:
      'Wird von einem Messwert mit einer dieser Arten von Qualität ausgelöst und endet mit dem nächsten ohne sie.',
    stateAlarm: 'Wird ausgelöst, wenn ein Zustand eintritt, der ein Alarm ist, und endet mit einem, der keiner ist.',
  },
  raisedBy: (states) => `Ausgelöst von ${states}.`,
  raisedByNone: 'Kein Zustand löst ihn aus: wählen Sie bei einem «Ist ein Alarm».',
  locationStates: 'Die Zustände eines Ortes kommen von seinen Parametern und werden dort eingestellt.',
  notified: 'Wer erfährt davon',
  notifiedText:
    'Wer diesen Knoten abonniert hat, erfährt von dem, was benachrichtigt, auf den Wegen, die für die Kategorie gewählt sind. Die Wege gelten im ganzen Arbeitsbereich.',
  notifiedLoading: 'Die Abonnenten werden gelesen',
  notifiedFailed: 'Die Abonnenten konnten nicht gelesen werden.',
  notifiedNobody: 'Niemand hat diesen Knoten abonniert: niemand erfährt von seinen Alarmen.',
  noNotify: 'Kein Zustand und kein Alarm benachrichtigt hier: stellen Sie bei einem «Benachrichtigen» ein.',
  person: 'Person',
  byGroup: (groups) => `durch ${groups}`,
  email: 'E-Mail',
  sms: 'SMS',
  way: (category, way, person) => `${category} per ${way} an ${person}`,
  hearsNothing: 'erfährt nichts: kein Weg ist gewählt',
  subscribe: 'Mich benachrichtigen',
  unsubscribe: 'Mich nicht mehr benachrichtigen',
  subscribeOther: 'Eine weitere Person benachrichtigen',
  subscribeOtherNone: 'Person wählen',
  unsubscribeOther: (person) => `${person} nicht mehr benachrichtigen`,
  test: 'Probemeldung senden',
  testTo: (person) => `Probemeldung an ${person} senden`,
  testText: (node, time) =>
    `Probe: so erfahren Sie von ${node}. Es ist nichts geschehen. Von Hand gesendet um ${time}.`,
  testSent: (person, ways) => `Eine Probemeldung geht per ${ways} an ${person}.`,
  testNone: (person) =>
    `An ${person} lässt sich nichts senden: diese Installation hat keinen Mailserver oder SMS-Dienst, oder die Telefonnummer fehlt.`,
  and: ' und ',
  preview: 'So würde es jetzt lauten:',
  previewUsual: 'Leer: der übliche Text wird gesendet.',
  previewFailed: 'Es lässt sich nicht auswerten:',
};
