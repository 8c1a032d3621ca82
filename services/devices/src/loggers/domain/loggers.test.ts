import type { Field, Table } from '@catchment/pakbus';
import { activityChange } from './activity-change.ts';
import { readMemory } from './collection-memory.ts';
import { columnsToRead } from './logger-columns.ts';
import { loggerDocuments } from './logger-document.ts';
import { loggerModel, modelRefusal, readPakBusSource } from './pakbus-source.ts';

/** Code of four-byte numbers. */
const IEEE4B = 9;
const field = (name: string): Field => ({
  name,
  type: IEEE4B,
  isReadOnly: false,
  processing: '',
  units: 'm',
  description: '',
  firstIndex: 1,
  dimension: 1,
  subDimensions: [],
});
const table = (name: string, ...fields: string[]): Table => ({
  number: 1,
  name,
  sizeRecords: 100,
  timeType: 14,
  interval: { seconds: 60, nanoseconds: 0 },
  fields: fields.map(field),
  signature: 1,
});
const MAIN = table('Main', 'Level', 'Flow');

test.each([
  ['all of a table where columns make parameters', MAIN, true, [], ['Main.Level', 'Main.Flow']],
  ['what has a parameter where they do not', MAIN, false, ['Main.Flow'], ['Main.Flow']],
  [
    'of a table that each logger has, what has a parameter',
    table('Status', 'Volts', 'Amps'),
    true,
    ['Status.Amps'],
    ['Status.Amps'],
  ],
])('a session reads %s', (_what, from, makesParameters, parameters, expected) => {
  const columns = columnsToRead(from, { parameters: new Set(parameters), makesParameters });
  expect(columns.map(({ series }) => series)).toEqual(expected);
});

test('parameters follow the fields that a logger has; series of something else stay as they are', () => {
  const parameters = [
    { series: 'Main.Level', isActive: false },
    { series: 'Main.Flow', isActive: true },
    { series: 'Main.Gone', isActive: true },
    { series: 'signal', isActive: true },
  ];
  expect(activityChange(parameters, [MAIN])).toEqual({ active: ['Main.Level'], inactive: ['Main.Gone'] });
});

const POINTER = { signature: 1, number: 7, timeMs: 1_000, instantMs: 2_000 };
test.each([
  ['what was remembered', { pointers: { Main: POINTER }, acquireMs: 5 }, 5, { Main: POINTER }],
  ['nothing after a new acquireTime', { pointers: { Main: POINTER }, acquireMs: 5 }, 6, {}],
  ['the pointers that are whole', { pointers: { Main: POINTER, Half: { number: 1 } } }, undefined, { Main: POINTER }],
  ['nothing where nothing was remembered', undefined, undefined, {}],
  ['nothing where something else was', { pointers: 'all' }, undefined, {}],
])('a session begins with %s', (_what, memory, acquireMs, pointers) => {
  expect(readMemory(memory, acquireMs)).toEqual({ pointers, acquireMs: acquireMs ?? null });
});

test('a document has at most 100 columns, and no record without values', () => {
  const wide = table('Wide', ...Array.from({ length: 150 }, (_, n) => `C${n}`));
  const columns = columnsToRead(wide, { parameters: new Set(), makesParameters: true });
  const records = [
    { instantMs: 0, values: columns.map((_, n) => (n < 100 ? n : undefined)) },
    { instantMs: 60_000, values: columns.map((_, n) => n) },
  ];
  const documents = loggerDocuments(columns, records, (ms) => ms) as {
    header: { columns: object };
    data: { ts: string }[];
  }[];
  expect(documents.map(({ header, data }) => [Object.keys(header.columns).length, data.map(({ ts }) => ts)])).toEqual([
    [100, ['1970-01-01T00:00:00.000Z', '1970-01-01T00:01:00.000Z']],
    [50, ['1970-01-01T00:01:00.000Z']],
  ]);
});

test.each([
  ['a control character of a text', 'a\u0000b', 'a b'],
  ['a time of the logger, in its zone', { timeMs: 1_000 }, { $time: '1970-01-01T01:00:01.000Z' }],
  ['a number', 1.5, 1.5],
])('a value of a record: %s', (_what, value, expected) => {
  const columns = columnsToRead(table('Main', 'Level'), { parameters: new Set(), makesParameters: true });
  const [document] = loggerDocuments(columns, [{ instantMs: 0, values: [value] }], (ms) => ms + 3_600_000) as [
    { data: { f: Record<string, { v: unknown }> }[] },
  ];
  expect(document.data[0]?.f[0]?.v).toEqual(expected);
});

test.each([
  ['encryption', { encryptionKey: 'k' }, /encryption of PakBus/],
  ['a password of PakBus/TCP', { tcpPassword: 'p' }, /passwords of PakBus\/TCP/],
  ['a security code that is too large', { securityCode: 65_536 }, /securityCode is above 65535/],
])('no session is possible with %s', (_what, attributes, refusal) => {
  expect(readPakBusSource(attributes, 0)).toEqual({ refusal: expect.stringMatching(refusal) });
});

test('a source that says nothing has address 1, no code, no gateway, and makes parameters', () => {
  expect(readPakBusSource({}, 0)).toMatchObject({
    address: 1,
    gateway: undefined,
    securityCode: 0,
    setsClock: false,
    makesParameters: true,
    startMs: undefined,
  });
});

test.each([
  ['CR1000.Std.24', 'CR1000', 'Std.24'],
  ['v03A', 'CR200', 'v03A'],
])('%s is a %s with firmware %s', (osVersion, model, firmwareVersion) => {
  expect(loggerModel(osVersion)).toEqual({ model, firmwareVersion });
});

test.each([
  ['CR1000', undefined],
  ['cr1000', undefined],
  ['CR9000', 'Protocol not available: PakBus has not been proven with a CR9000'],
])('a session with a %s: %s', (model, refusal) => {
  expect(modelRefusal(model, ['CR1000'])).toBe(refusal);
});
