import { DIAGNOSIS_ADVICE, DIAGNOSIS_STATES } from '@catchment/query';
import { describe, expect, test } from 'vitest';
import type { AcquisitionEvent } from './contact-event.ts';
import { diagnose } from './diagnose.ts';
import type { ContactFacts, Facts, LastFile, Peer } from './facts.ts';
import { adviceSentence, inWords, stateSentence } from './sentences.ts';

const NOW = Date.parse('2030-01-10T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const SOURCE: Facts['source'] = {
  nodeId: 'a',
  name: 'Gauge',
  workspaceId: 'w',
  transport: 'FtpUpload',
  isEnabled: true,
  isWatched: true,
  isOutdated: false,
  lastSuccessMs: undefined,
  newestRecordMs: undefined,
  recordsAheadMs: 0,
};
const CONTACT: ContactFacts = {
  status: 'REST',
  nextMs: undefined,
  intervalMs: undefined,
  waitingFiles: 0,
  lastFile: undefined,
  device: undefined,
};
const COUNTS = { lines: 10, parsed: 10, records: 10, unreadableFields: 0, firstFailure: '' };
const file = (ageMs: number, change: Partial<LastFile> = {}): LastFile => ({
  fileName: 'today.csv',
  timeMs: NOW - ageMs,
  sizeBytes: 100,
  report: COUNTS,
  reason: '',
  message: '',
  ...change,
});
const refused = { report: undefined, reason: 'NOTHING_PARSED', message: 'line 1: no time was found' };
const event = (ageMs: number, message: string): AcquisitionEvent => ({ timeMs: NOW - ageMs, level: 'DEBUG', message });
/** Makes as many hours as there are numbers. */
const hourly = (...hours: number[]) => hours.map((hour) => event(hour * HOUR, 'Processed 4 records from API'));
const peer = (change: Partial<Peer> = {}): Peer => ({
  nodeId: 'b',
  name: 'Other',
  isOutdated: false,
  hasFailed: false,
  lastSuccessMs: NOW,
  ...change,
});

type Given = {
  readonly source?: Partial<Facts['source']>;
  readonly contact?: Partial<ContactFacts>;
  readonly events?: readonly AcquisitionEvent[];
  readonly peers?: readonly Peer[];
};
const of = ({ source, contact, events = [], peers }: Given) =>
  diagnose(
    {
      source: { ...SOURCE, ...source },
      contact: { ...CONTACT, ...contact },
      events,
      peers: peers && { by: 'SERVER', list: peers, hasMore: false },
    },
    NOW,
  );

const DEVICE = { deviceId: 'd', isConnected: false, lastConnectedMs: NOW - DAY };

test.each<[what: string, given: Given, sentence: string]>([
  [
    'a disabled source',
    { source: { isEnabled: false }, events: hourly(1, 2, 3, 4) },
    'The source is disabled: it takes and fetches nothing.',
  ],
  ['files that wait', { contact: { waitingFiles: 2 } }, 'Data is being fetched or read at the moment.'],
  ['a session', { contact: { status: 'DOWNLOADING' } }, 'Data is being fetched or read at the moment.'],
  [
    'a session that failed',
    { contact: { status: 'FAILED' }, events: [event(HOUR, 'Connection failed: the host is not known')] },
    'The connection fails: the host is not known.',
  ],
  [
    'a session that is to be tried again',
    { contact: { status: 'RETRYING' }, events: [event(HOUR, 'Connection failed: timed out [retry 1 of 3 in 15 min]')] },
    'The connection fails: timed out.',
  ],
  [
    'a file that was refused whole',
    { contact: { lastFile: file(HOUR, refused) }, events: hourly(3, 4, 5, 6) },
    'The last file, today.csv, was refused: line 1: no time was found.',
  ],
  [
    'a refused file that good data came after',
    { contact: { lastFile: file(3 * HOUR, refused) }, events: hourly(1, 2, 3, 4) },
    'All is well: something came 60 minutes ago; usually something comes every 60 minutes.',
  ],
  [
    'a client whom the source refuses',
    { events: [event(HOUR, 'Refused upload from 192.0.2.1: wrong password'), ...hourly(30, 31, 32, 33)] },
    'What came last was refused: Refused upload from 192.0.2.1: wrong password.',
  ],
  [
    'a stranger who connects to a source that brings its data',
    { events: [event(HOUR / 2, 'Refused upload from 192.0.2.1: wrong password'), ...hourly(1, 2, 3, 4)] },
    'All is well: something came 60 minutes ago; usually something comes every 60 minutes.',
  ],
  [
    'a refused file after which sessions found nothing new',
    { contact: { lastFile: file(3 * HOUR, refused) }, events: [event(HOUR, 'No new records'), ...hourly(5, 6)] },
    'The last file, today.csv, was refused: line 1: no time was found.',
  ],
  [
    'a modem that is away for longer than usual',
    { contact: { device: DEVICE }, events: hourly(24, 25, 26, 27) },
    'Its device is not connected and was heard of 24 hours ago; usually something comes every 60 minutes.',
  ],
  [
    'a modem that is away as it usually is',
    { contact: { device: { ...DEVICE, lastConnectedMs: NOW - HOUR } }, events: hourly(1, 2, 3, 4) },
    'All is well: something came 60 minutes ago; usually something comes every 60 minutes.',
  ],
  ['a source that never sent', {}, 'Nothing has ever come.'],
  [
    'a modem that was never connected',
    { contact: { device: { deviceId: 'd', isConnected: false } } },
    'Nothing has ever come.',
  ],
  [
    'silence of many usual intervals',
    { events: hourly(72, 73, 74, 75), source: { isOutdated: true } },
    'Nothing has come for 3 days; usually something comes every 60 minutes.',
  ],
  [
    'an outdated source whose rhythm is not known',
    { source: { isOutdated: true, lastSuccessMs: NOW - 5 * DAY } },
    'Nothing has come for 5 days.',
  ],
  [
    'contacts without new records',
    { source: { isOutdated: true, newestRecordMs: NOW - 9 * DAY }, events: hourly(1, 2, 3, 4) },
    'It was heard of 60 minutes ago, but brings no new records.',
  ],
  [
    'a source that is somewhat late',
    { events: hourly(2, 3, 4, 5) },
    'All is well: something came 2 hours ago; usually something comes every 60 minutes.',
  ],
  [
    'a source of which little is known',
    { events: hourly(2, 3) },
    'Something came 2 hours ago; too little has come to say how often it usually does.',
  ],
  [
    'a schedule, which says the interval before anything else does',
    { contact: { intervalMs: DAY }, events: hourly(20) },
    'All is well: something came 20 hours ago; usually something comes every 24 hours.',
  ],
])('%s', (_what, given, sentence) => {
  const diagnosis = of(given);
  expect(stateSentence(diagnosis)).toBe(sentence);
});

describe('what is silent', () => {
  test.each<[Given, boolean]>([
    [{ source: { isEnabled: false } }, true],
    [{}, true],
    [{ events: hourly(72, 73, 74, 75) }, true],
    [{ events: hourly(1, 2, 3, 4) }, false],
    [{ events: hourly(1) }, false],
    [{ contact: { waitingFiles: 1 } }, false],
  ])('%#', (given, isSilent) => expect(of(given).isSilent).toBe(isSilent));
});

describe('what to do', () => {
  test.each<[what: string, given: Given, advice: readonly string[]]>([
    ['all is well', { events: hourly(1, 2, 3, 4) }, []],
    ['nobody hears of its silence', { source: { isWatched: false }, events: hourly(1, 2, 3, 4) }, ['WATCH_SOURCE']],
    ['late, and it sends by itself', { events: hourly(72, 73, 74, 75) }, ['CHECK_SENDER']],
    [
      'late, and we can ask it',
      { source: { transport: 'FtpDownload' }, contact: { nextMs: NOW + HOUR }, events: hourly(72, 73, 74, 75) },
      ['ACQUIRE_NOW', 'WAIT_FOR_TRY'],
    ],
    [
      'all others are silent too',
      { events: hourly(72, 73, 74, 75), peers: [peer({ lastSuccessMs: NOW - 72 * HOUR }), peer({ hasFailed: true })] },
      ['CHECK_SHARED', 'CHECK_SENDER'],
    ],
    [
      'one of the others was heard of since',
      { events: hourly(72, 73, 74, 75), peers: [peer(), peer({ isOutdated: true })] },
      ['CHECK_SENDER'],
    ],
    ['there are no others', { events: hourly(72, 73, 74, 75), peers: [] }, ['CHECK_SENDER']],
    [
      'lines of the last file were refused',
      { contact: { lastFile: file(HOUR, { report: { ...COUNTS, parsed: 7 } }) }, events: hourly(1, 2, 3, 4) },
      ['CHECK_LINES'],
    ],
    [
      'records are ahead of our clock',
      { source: { recordsAheadMs: HOUR }, events: hourly(1, 2, 3, 4) },
      ['CHECK_CLOCK'],
    ],
    ['a little ahead', { source: { recordsAheadMs: 60_000 }, events: hourly(1, 2, 3, 4) }, []],
    [
      'the clock of the logger was wrong',
      { events: [...hourly(1, 2, 3, 4), event(HOUR, 'Clock of the logger set: it was 900 s slow')] },
      ['CHECK_CLOCK'],
    ],
    ['a source that never sent', {}, ['SET_UP_SENDER']],
  ])('%s', (_what, given, advice) => expect(of(given).advice).toEqual(advice));
});

test('a source that is well names as silent only those that are known to be', () => {
  const peers = [peer({ lastSuccessMs: NOW - DAY }), peer({ isOutdated: true, name: 'Weir' })];
  expect(of({ events: hourly(1, 2, 3, 4), peers }).peers).toMatchObject({
    total: 2,
    silent: 1,
    named: [{ name: 'Weir' }],
  });
});

test('at most five of many are named', () => {
  const peers = Array.from({ length: 9 }, () => peer({ hasFailed: true }));
  const shown = of({ peers }).peers;
  expect([shown?.silent, shown?.named.length]).toEqual([9, 5]);
});

test('what comes within a minute is one contact, and the way of a file is a file', () => {
  const { contacts, lastContact } = of({
    events: [
      event(HOUR, 'Processed 3 records from a.csv [1 parameters updated]'),
      event(HOUR + 2_000, "Acquired 'a.csv' [12 bytes]"),
      event(2 * HOUR, 'No new records'),
    ],
  });
  expect(contacts).toEqual([NOW - HOUR, NOW - 2 * HOUR]);
  expect(lastContact).toEqual({ timeMs: NOW - HOUR, way: 'FILE' });
});

test('a service that could not be asked is named', () => {
  const facts = { source: SOURCE, contact: undefined, events: undefined, peers: undefined };
  expect(diagnose(facts, NOW).unknown).toEqual(['DEVICES', 'EVENTS']);
});

test('every advice has a sentence', () => {
  for (const code of DIAGNOSIS_ADVICE) expect(adviceSentence(code)).toMatch(/^[A-Z].*\.$/);
  expect(new Set(DIAGNOSIS_STATES).size).toBe(11);
});

test.each([
  [0, '0 seconds'],
  [1_000, '1 second'],
  [119_000, '119 seconds'],
  [150_000, '3 minutes'],
  [2 * HOUR, '2 hours'],
  [47 * HOUR, '47 hours'],
  [60 * HOUR, '3 days'],
])('%i ms are %s', (ms, text) => expect(inWords(ms)).toBe(text));
