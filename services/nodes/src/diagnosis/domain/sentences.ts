import { countOf } from '@catchment/number-format';
import type { DiagnosisAdvice, DiagnosisState } from '@catchment/query';
import type { Diagnosis } from './diagnose.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns `3 days`: the largest unit of which there are two at least; seconds below two minutes. */
export function inWords(ms: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['second', 1_000];
  return countOf(Math.round(ms / size), unit);
}

const agoOf = ({ silentMs }: Diagnosis): string => (silentMs === undefined ? 'some time' : inWords(silentMs));
const usualOf = ({ usual }: Diagnosis): string =>
  usual === undefined ? '' : `; usually something comes every ${inWords(usual.ms)}`;
const why = ({ lastError }: Diagnosis): string => (lastError ? `: ${lastError.message}` : '');

/** One sentence says the state of a source (docs/reference/sources.md#diagnosis). */
const STATES: Readonly<Record<DiagnosisState, (diagnosis: Diagnosis) => string>> = {
  DISABLED: () => 'The source is disabled: it takes and fetches nothing.',
  WORKING: () => 'Data is being fetched or read at the moment.',
  CONNECTION_FAILS: (of) => `The connection fails${why(of)}.`,
  FILE_REFUSED: (of) => `The last file${of.lastFile ? `, ${of.lastFile.fileName},` : ''} was refused${why(of)}.`,
  ACCESS_REFUSED: (of) => `What came last was refused${why(of)}.`,
  DEVICE_OFFLINE: (of) => `Its device is not connected and was heard of ${agoOf(of)} ago${usualOf(of)}.`,
  NEVER_HEARD: () => 'Nothing has ever come.',
  NO_NEW_RECORDS: (of) => `It was heard of ${agoOf(of)} ago, but brings no new records.`,
  LATE: (of) => `Nothing has come for ${agoOf(of)}${usualOf(of)}.`,
  FINE: (of) => `All is well: something came ${agoOf(of)} ago${usualOf(of)}.`,
  RHYTHM_UNKNOWN: (of) =>
    of.silentMs === undefined
      ? 'When something came last is not known.'
      : `Something came ${agoOf(of)} ago; too little has come to say how often it usually does.`,
};

export const stateSentence = (diagnosis: Diagnosis): string =>
  STATES[diagnosis.state](diagnosis).replace(/\.{2,}$/, '.');

const ADVICE: Readonly<Record<DiagnosisAdvice, string>> = {
  CHECK_SHARED: 'All others on the same way are silent too: begin with what they share.',
  ENABLE_SOURCE: 'Enable the source in its settings.',
  WAIT_FOR_FILES: 'Wait until what came has been read.',
  WAIT_FOR_TRY: 'The next try begins by itself.',
  CHECK_SERVER: 'Check that the other side can be reached, and its address and login in the settings of the source.',
  CHECK_PARSER: 'Compare the file with the parser of the source: its lines, columns and times.',
  CHECK_LOGIN: 'Check the password, the allowed addresses and what is sent.',
  CHECK_POWER: 'Check the power, the SIM card and the antenna of the device.',
  SET_UP_SENDER: 'Set up what is to send: the settings of the source say where to.',
  CHECK_LOGGER: 'Check that the logger measures, and its clock.',
  CHECK_SENDER: 'Check whether the station still sends: its power, its line, and where it sends to.',
  ACQUIRE_NOW: 'Acquire now, and see what is answered.',
  CHECK_LINES: 'Parts of the last file could not be read: look at its first error.',
  CHECK_CLOCK: 'Check the clock and the time zone of the device.',
  WATCH_SOURCE: 'Switch the outdatedAlarm of the source on, so that its silence raises an alarm.',
};

export const adviceSentence = (code: DiagnosisAdvice): string => ADVICE[code];
