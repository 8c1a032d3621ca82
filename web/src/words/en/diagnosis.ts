import { counted } from '../plural.ts';

const n = counted('en');

/** A sentence is made of these; null where it is not known. */
type Said = { readonly ago: string | null; readonly usual: string | null; readonly file: string | null };

const spans = {
  day: (count: number) => n(count, { one: '# day', other: '# days' }),
  hour: (count: number) => n(count, { one: '# hour', other: '# hours' }),
  minute: (count: number) => n(count, { one: '# minute', other: '# minutes' }),
  second: (count: number) => n(count, { one: '# second', other: '# seconds' }),
};
const usually = ({ usual }: Said) => (usual === null ? '' : `; usually something comes every ${usual}`);

export const diagnosis = {
  tab: 'Contact',
  question: 'Why is it silent?',
  loading: 'Its contacts are being looked for',
  failed: 'Its contacts could not be read.',
  noSource: 'There is not one source to speak of',
  noSourceText: 'This node has no source, or several: open one of them.',
  toBelow: 'Show what lies below',
  silent: 'Silent',
  notSilent: { fine: 'All is well', working: 'At work', unsure: 'Nothing is known to be wrong' },
  ofSource: 'Its source:',
  unknown: 'A part of the installation could not be asked: some facts are missing at the moment.',
  facts: 'What is known',
  since: spans,
  every: spans,
  states: {
    DISABLED: (_: Said) => 'The source is disabled: it takes and fetches nothing.',
    WORKING: (_: Said) => 'Data is being fetched or read at the moment.',
    CONNECTION_FAILS: (_: Said) => 'The connection fails.',
    FILE_REFUSED: ({ file }: Said) => `The last file${file === null ? '' : `, ${file},`} was refused.`,
    ACCESS_REFUSED: (_: Said) => 'The last delivery was refused.',
    DEVICE_OFFLINE: (of: Said) => `Its device is not connected and was heard of ${of.ago} ago${usually(of)}.`,
    NEVER_HEARD: (_: Said) => 'Nothing has ever come.',
    LATE: (of: Said) => `Nothing has come for ${of.ago ?? 'some time'}${usually(of)}.`,
    NO_NEW_RECORDS: (of: Said) => `It was heard of ${of.ago} ago, but brings no new records.`,
    FINE: (of: Said) => `Something came ${of.ago} ago${usually(of)}.`,
    RHYTHM_UNKNOWN: ({ ago }: Said) =>
      ago === null
        ? 'When something came last is not known.'
        : `Something came ${ago} ago; too little has come to say how often it usually does.`,
  },
  lastContact: 'Last contact',
  ways: { FILE: 'a file', WRITE: 'a write by HTTP', DATA: 'data', SESSION: 'a session', CONNECTION: 'a connection' },
  never: 'never',
  usual: 'Usual interval',
  usualFrom: { CONTACTS: 'learnt from its contacts', SCHEDULE: 'its schedule' },
  usualUnknown: 'not known yet',
  lastRecord: 'Newest record',
  lastFile: 'Last file',
  read: (records: number, parsed: number, lines: number) =>
    `${n(records, { one: '# record', other: '# records' })}, ${parsed} of ${n(lines, { one: '# line', other: '# lines' })} read.`,
  refusedWhole: 'It was refused whole.',
  unreadable: (fields: number) =>
    n(fields, { one: '# field could not be read.', other: '# fields could not be read.' }),
  lastError: 'Last error',
  device: 'Device',
  connected: 'connected',
  notConnected: 'not connected',
  nextTry: 'Next try',
  noNextTry: 'none is planned',
  clock: 'Clock of the device',
  fast: (span: string) => `${span} fast`,
  slow: (span: string) => `${span} slow`,
  clockFrom: { LOGGER: 'as the logger reported', RECORDS: 'by the times of its records' },
  due: 'usually next',
  now: 'now',
  rhythmShown: (count: number, from: string, to: string) =>
    `${n(count, { one: '# contact', other: '# contacts' })} from ${from} to ${to}.`,
  whatToDo: 'What to do',
  nothingToDo: 'Nothing.',
  toSettings: 'Open the settings',
  toEvents: 'Open the events',
  toLog: 'All that happened to the source',
  acquire: 'Acquire now',
  acquired: 'It is asked for data now.',
  advice: {
    CHECK_SHARED: 'All others on the same way are silent too: begin with what they share.',
    ENABLE_SOURCE: 'Enable the source.',
    WAIT_FOR_FILES: 'Wait until what came has been read.',
    WAIT_FOR_TRY: 'The next try begins by itself.',
    CHECK_SERVER: 'Check that the other side can be reached, and its address and login.',
    CHECK_PARSER: 'Compare the file with the parser: its lines, columns and times.',
    CHECK_LOGIN: 'Check the password, the allowed addresses and what is sent.',
    CHECK_POWER: 'Check the power, the SIM card and the antenna of the device.',
    SET_UP_SENDER: 'Set up what is to send: the settings say where to.',
    CHECK_LOGGER: 'Check that the logger measures, and its clock.',
    CHECK_SENDER: 'Check whether the station still sends: its power, its line, and where it sends to.',
    ACQUIRE_NOW: 'Ask it now, and see what is answered.',
    CHECK_LINES: 'Parts of the last file could not be read: look at its first error.',
    CHECK_CLOCK: 'Check the clock and the time zone of the device.',
    WATCH_SOURCE: 'Switch its outdated alarm on, so that somebody hears of its silence.',
  },
  peers: {
    DEVICE: 'Others on the same device',
    SERVER: 'Others on the same server',
    TRANSPORT: 'Others that send the same way',
  },
  noPeers: 'There are none that you may see.',
  silentPeers: (silent: number, total: number) =>
    silent === 0 ? `None of ${total} is silent.` : `${silent} of ${total} silent:`,
  morePeers: 'There are more, which were not looked at.',
};
