import type { AlarmType } from '../en/alarm-types.ts';

/** The `label` names it as an attribute of a form. */
export const alarmTypes: Readonly<
  Record<AlarmType, { readonly name: string; readonly label: string; readonly raised: string }>
> = {
  stateAlarm: {
    name: 'Zustand',
    label: 'Zustandsalarm',
    raised: 'Wird ausgelöst, wenn ein Zustand eintritt, der ein Alarm ist, und endet mit einem, der keiner ist.',
  },
  qualityAlarm: {
    name: 'Qualität',
    label: 'Qualitätsalarm',
    raised:
      'Wird von einem Messwert mit einer dieser Arten von Qualität ausgelöst und endet mit dem nächsten ohne sie.',
  },
  outdatedAlarm: {
    name: 'Veraltet',
    label: 'Veraltet-Alarm',
    raised:
      'Wird ausgelöst, wenn länger keine neuen Daten kommen, als «Veraltet nach» der Quelle sagt, und endet, sobald sie kommen.',
  },
  communicationsAlarm: {
    name: 'Verbindung',
    label: 'Verbindungsalarm',
    raised:
      'Wird ausgelöst, wenn eine Verbindung mit dem Gerät nach allen Versuchen scheitert, und endet, wenn die nächste gelingt.',
  },
  dataAlarm: {
    name: 'Daten',
    label: 'Datenalarm',
    raised:
      'Wird ausgelöst, wenn Messwerte außerhalb der erlaubten Zeit liegen oder eine Datei unlesbar ist, und endet mit den nächsten Daten ohne solchen Fehler.',
  },
  processAlarm: {
    name: 'Berechnung',
    label: 'Berechnungsalarm',
    raised:
      'Wird ausgelöst, wenn Programm oder Abflusskurve scheitern oder die Eingabe fehlt, und endet mit dem nächsten Lauf, der gelingt.',
  },
  controlAlarm: {
    name: 'Steuerung',
    label: 'Steuerungsalarm',
    raised: 'Wird ausgelöst, wenn der Logger eine Steuerung ablehnt, und endet, wenn die nächste gelingt.',
  },
  configurationAlarm: {
    name: 'Konfiguration',
    label: 'Konfigurationsalarm',
    raised:
      'Wird ausgelöst, wenn sich ein Programm, eine Datei oder eine Einstellung nicht an den Logger senden lässt, und endet, wenn das nächste Senden gelingt.',
  },
  overloadAlarm: {
    name: 'Überlast',
    label: 'Überlastalarm',
    raised:
      'Wird ausgelöst, wenn eine Tagesgrenze Zeilen oder Dateien verwirft, und endet am nächsten Tag. Er ist immer an.',
  },
};
