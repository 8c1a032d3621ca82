// The service obeys every rule in docs/reference/writing.md#checks-before-the-answer and
// docs/reference/reading.md#too-large-or-too-slow: it refuses with the column and row named, and nothing is stored; random `params` and
// relative times have an answer or a refusal, soon.
import { DomainError } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { seedOf } from '@catchment/testkit/amount';
import { randomFrom } from '@catchment/testkit/write-model';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

/** Set FUZZ_SEED to repeat a run whose seed a title shows. */
const SEED = seedOf('FUZZ_SEED');
const CASES = Number(process.env.FUZZ_CASES ?? 150);

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic.close());

const T = '2024-01-01T00:00:00Z';
const row = (f: unknown, ts: unknown = T) => ({ docType: 'jts', data: [{ ts, f }] });
const field = (content: unknown) => row({ 0: content });
const long = (length: number) => 'x'.repeat(length);
const many = (count: number) => Array.from({ length: count }, (_, n) => [n, { v: 1 }] as const);
const columns = (count: number, of: object = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [n, { series: `s${n}`, ...of }]));
const refusal = (error: unknown) =>
  error instanceof DomainError ? [error.kind, error.message] : ['other', String(error)];
/** Returns the columns that the log has of a node. */
const logged = (nodeId: string) =>
  historic.applied.flatMap(({ series }) => series).filter((applied) => applied.nodeId === nodeId);

const BAD = 'invalid_argument';
const LARGE = 'too_large';

test.each([
  ['no JSON', '{"docType":', {}, BAD, 'body: must be JSON'],
  ['an array', '[]', {}, BAD, 'body: must be a JTS document'],
  ['no docType', { data: [] }, {}, BAD, 'docType: must be jts'],
  ['another docType', { docType: 'csv', data: [] }, {}, BAD, 'docType: must be jts'],
  ['another subType', { docType: 'jts', subType: 'EVENTS', data: [] }, {}, BAD, 'subType: must be'],
  ['another version', { docType: 'jts', version: '2.0', data: [] }, {}, BAD, 'version: must be 1.0'],
  ['no data', { docType: 'jts' }, {}, BAD, 'data: must be an array'],
  ['data that is an object', { docType: 'jts', data: {} }, {}, BAD, 'data: must be an array'],
  ['a header that is a list', { docType: 'jts', header: [], data: [] }, {}, BAD, 'header: must be an object'],
  [
    'columns that are a list',
    { docType: 'jts', header: { columns: [] }, data: [] },
    {},
    BAD,
    'header.columns: must be an object',
  ],
  [
    'a column that is no index',
    { docType: 'jts', header: { columns: { a: {} } }, data: [] },
    {},
    BAD,
    'header.columns.a: key',
  ],
  [
    'a column that is a text',
    { docType: 'jts', header: { columns: { 3: 'x' } }, data: [] },
    {},
    BAD,
    'header.columns.3: must be an object',
  ],
  [
    'an id that is a number',
    { docType: 'jts', header: { columns: { 3: { id: 5 } } }, data: [] },
    {},
    BAD,
    'header.columns.3.id: must be a string',
  ],
  [
    'an unknown dataType',
    { docType: 'jts', header: { columns: { 3: { dataType: 'BLOB' } } }, data: [] },
    {},
    BAD,
    'header.columns.3.dataType: must be one of',
  ],
  ['an unknown writeMode', field({ v: 1 }), { writeMode: 'MERGE' }, BAD, 'writeMode: must be one of'],
  ['an unknown notifyOn', field({ v: 1 }), { notifyOn: 'SOME' }, BAD, 'notifyOn: must be one of'],
  ['an entry that is a number', { docType: 'jts', data: [1] }, {}, BAD, 'data[0]: must be an object'],
  ['no ts', { docType: 'jts', data: [{ f: {} }] }, {}, BAD, 'data[0].ts: must be an ISO 8601 timestamp'],
  ['a ts that is no time', row({ 0: { v: 1 } }, 'yesterday'), {}, BAD, 'data[0].ts: must be an ISO 8601 timestamp'],
  ['an impossible date', row({ 0: { v: 1 } }, '2024-02-30T00:00:00Z'), {}, BAD, 'data[0].ts: must be'],
  ['a leap second', row({ 0: { v: 1 } }, '2016-12-31T23:59:60Z'), {}, BAD, 'data[0].ts: must be'],
  ['a year before 1800', row({ 0: { v: 1 } }, '1799-12-31T23:59:59Z'), {}, BAD, 'data[0].ts: must be'],
  [
    'a year that cannot be stored',
    row({ 0: { v: 1 } }, '2300-01-01T00:00:00Z'),
    {},
    BAD,
    'data[0].ts: must be from 1800',
  ],
  ['a relative time', row({ 0: { v: 1 } }, 'NOW-1H'), {}, BAD, 'data[0].ts: must be'],
  [
    'the third row',
    jts([
      [0, { v: 1 }],
      [1, { v: 2 }],
      ['no', { v: 3 }],
    ]),
    {},
    BAD,
    'data[2].ts: must be',
  ],
  ['no f', { docType: 'jts', data: [{ ts: T }] }, {}, BAD, 'data[0].f: must be an object'],
  ['f that is a list', row([]), {}, BAD, 'data[0].f: must be an object'],
  ['a field key that is no index', row({ a: { v: 1 } }), {}, BAD, 'data[0].f.a: key must be a column index'],
  ['a field that is a number', field(5), {}, BAD, 'data[0].f.0: must be an object or null'],
  ['a text for a number', field({ v: '1 m' }), {}, BAD, 'data[0].f.0.v: must be a number'],
  ['a list for a number', field({ v: [1] }), {}, BAD, 'data[0].f.0.v: must be a number'],
  [
    'the value of the second row',
    jts([
      [0, { v: 1 }],
      [1, { v: {} } as never],
    ]),
    {},
    BAD,
    'data[1].f.0.v: must be a number',
  ],
  ['a quality below 0', field({ v: 1, q: -1 }), {}, BAD, 'data[0].f.0.q: must be a whole number from 0 to 65535'],
  ['a quality above 65535', field({ v: 1, q: 65_536 }), {}, BAD, 'data[0].f.0.q: must be'],
  ['a broken quality', field({ v: 1, q: 1.5 }), {}, BAD, 'data[0].f.0.q: must be'],
  ['a quality as text', field({ v: 1, q: '1' }), {}, BAD, 'data[0].f.0.q: must be'],
  [
    'an annotation of 501 characters',
    field({ v: 1, a: long(501) }),
    {},
    BAD,
    'data[0].f.0.a: must be a string of at most 500',
  ],
  ['an annotation that is a number', field({ v: 1, a: 7 }), {}, BAD, 'data[0].f.0.a: must be'],
  ['50 001 records', jts(many(50_001)), {}, LARGE, 'data: must have at most 50000 records'],
  [
    '101 columns',
    { docType: 'jts', header: { columns: columns(101) }, data: [] },
    {},
    LARGE,
    'header.columns: must have at most 100 columns',
  ],
  [
    'fields of 101 columns',
    row(Object.fromEntries(Array.from({ length: 102 }, (_, n) => [n, { v: 1 }]))),
    {},
    LARGE,
    'data: must have at most 100 columns',
  ],
])('a number parameter refuses %s', async (_what, body, given, kind, message) => {
  const node = historic.parameter();
  const error = await historic.write(node, body, given).catch((refusal: unknown) => refusal);
  expect(refusal(error)).toEqual([kind, expect.stringContaining(message)]);
  await historic.idle();
  expect(logged(node.nodeId)).toEqual([]);
});

test.each([
  ['a number for a text', TYPES.TEXT, 5, 'must be a string of at most 10000'],
  ['10 001 characters', TYPES.TEXT, long(10_001), 'must be a string of at most 10000'],
  ['a bad time', TYPES.TIME, { $time: 'soon' }, 'must be a time'],
  ['a time as a list', TYPES.TIME, [1], 'must be a time'],
  ['one coordinate', TYPES.COORDINATES, { $coords: [1] }, 'must be {"$coords"'],
  ['a latitude above 90', TYPES.COORDINATES, { $coords: [90.1, 0] }, 'must be {"$coords"'],
  ['a longitude below -180', TYPES.COORDINATES, [0, -180.1], 'must be {"$coords"'],
])('a value is checked against its column: %s', async (_what, valueType, v, message) => {
  const node = historic.parameter({ valueType });
  const error = await historic.write(node, jts([[0, { v }]])).catch((refusal: unknown) => refusal);
  expect(refusal(error)).toEqual([BAD, expect.stringContaining(`data[0].f.0.v: ${message}`)]);
  const now = await historic.writeNow(node, { value: v }).catch((refusal: unknown) => refusal);
  expect(refusal(now)).toEqual([BAD, expect.stringContaining(`value: ${message}`)]);
});

test.each([
  ['nothing', {}, 'body: must have at least one of'],
  ['nulls only', { value: null, quality: null }, 'body: must have at least one of'],
  ['a list', [1], 'body: must be an object'],
  ['a bad timestamp', { value: 1, timestamp: 'now' }, 'timestamp: must be an ISO 8601'],
  ['a bad quality', { value: 1, quality: 70_000 }, 'quality: must be a whole number'],
  ['a long annotation', { annotation: long(501) }, 'annotation: must be a string'],
])('a single record refuses %s', async (_what, body, message) => {
  const error = await historic.writeNow(historic.parameter(), body).catch((refusal: unknown) => refusal);
  expect(refusal(error)).toEqual([BAD, expect.stringContaining(message)]);
});

test.each([
  ['no columns', { docType: 'jts', data: [] }, 'header.columns: must have at least one column'],
  [
    'a column without id, series and name',
    { docType: 'jts', header: { columns: { 0: { units: 'm' } } }, data: [] },
    'header.columns.0: must have an id, series or name',
  ],
  [
    'an unknown id alone',
    { docType: 'jts', header: { columns: { 4: { id: newObjectId() } } }, data: [] },
    'header.columns.4.id',
  ],
  [
    'a field without column',
    { docType: 'jts', header: { columns: columns(1) }, data: [{ ts: T, f: { 0: { v: 1 }, 7: { v: 2 } } }] },
    'data[0].f.7: has no column',
  ],
  [
    'a value in the second column',
    { docType: 'jts', header: { columns: columns(2) }, data: [{ ts: T, f: { 0: { v: 1 }, 1: { v: 'x' } } }] },
    'data[0].f.1.v: must be a number',
  ],
])('a data source refuses %s, and makes no parameter', async (_what, body, message) => {
  const source = historic.source();
  const error = await historic.write(source, body).catch((refusal: unknown) => refusal);
  expect(refusal(error)).toEqual([BAD, expect.stringContaining(message)]);
  expect(historic.nodes.parametersOf(source.nodeId)).toEqual([]);
});

test.each([['a process or rating parameter', { series: { writable: false } }, 'cannot be written']])(
  '%s is no target of any write',
  async (_what, change, message) => {
    const node = historic.parameter(change.series);
    const who = caller(node.ownerId);
    const outcomes = await Promise.allSettled([
      historic.write(node, field({ v: 1 })),
      historic.writeNow(node, { value: 1 }),
      historic.writeMany(field({ v: 1 }), { params: `${node.nodeId}(columnIndex:0)` }, who),
    ]);
    for (const outcome of outcomes)
      expect(outcome.status === 'rejected' && refusal(outcome.reason)).toEqual([BAD, expect.stringContaining(message)]);
  },
);

test('one bad field among many refuses all of them', async () => {
  const nodes = [historic.parameter(), historic.parameter()];
  const second = { ...nodes[1], ownerId: nodes[0]?.ownerId ?? '', workspaceId: nodes[0]?.workspaceId ?? '' } as never;
  const node = historic.child(historic.source({ ownerId: nodes[0]?.ownerId ?? '' }), second);
  const params = `${nodes[0]?.nodeId}(columnIndex:0),${node.nodeId}(columnIndex:1)`;
  const body = { docType: 'jts', data: [{ ts: T, f: { 0: { v: 1 }, 1: { v: 'no' } } }] };
  const error = await historic
    .writeMany(body, { params }, caller(nodes[0]?.ownerId ?? ''))
    .catch((refusal: unknown) => refusal);
  expect(refusal(error)).toEqual([BAD, expect.stringContaining('data[0].f.1.v: must be a number')]);
  await historic.idle();
  expect(logged(nodes[0]?.nodeId ?? '')).toEqual([]);
});

test.each([
  [
    'more intervals than 50 000',
    { aggregate: 'AVERAGE', baseTime: 'D', interval: '1S', startTime: '2024-01-01', endTime: '2024-01-02' },
    'at most 50000 intervals',
  ],
  ['more fields than an answer may have', { startTime: '1970-01-01', endTime: '1970-01-02' }, ''],
])(
  'a read refuses %s with 413 before its first byte (docs/reference/reading.md#too-large-or-too-slow)',
  async (_what, given, message) => {
    const node = historic.parameter();
    for (let n = 0; n < 3; n += 1)
      await historic.write(node, jts(Array.from({ length: 40_000 }, (_, i) => [n * 40_000 + i, { v: 1 }] as const)));
    await historic.idle();
    const error = await historic.readText(node, given).catch((refusal: unknown) => refusal);
    expect(refusal(error)).toEqual([LARGE, expect.stringContaining(message)]);
  },
);

/** Texts that look like valid input, and some that do not. */
function fuzzed(random: () => number, words: readonly string[], max: number): string {
  const length = 1 + Math.floor(random() * max);
  return Array.from({ length }, () => {
    if (random() < 0.1) return String.fromCodePoint(1 + Math.floor(random() * 0xd7fe));
    return words[Math.floor(random() * words.length)] ?? '';
  }).join('');
}
const ACCEPTED = ['invalid_argument', 'not_found', 'too_large', 'out_of_range', 'permission_denied'];
/** Machines that run tests may stand still for a while. */
const SOON_MS = 45_000;

test(`random params are answered or refused, soon (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const node = historic.parameter({}, { customId: 'fuzz' });
  const who = caller(node.ownerId);
  const words = [
    node.nodeId,
    '@fuzz',
    '(',
    ')',
    ',',
    ':',
    'columnIndex',
    'aggregate',
    'AVERAGE',
    'interval',
    '1H',
    'baseTime',
    'D',
    '0',
    '1e9',
    '-1',
    ' ',
    '%',
    '((',
    '))',
    '\\',
    '"',
    'renderType',
    'STATE',
    '@',
    'format',
  ];
  for (let n = 0; n < CASES; n += 1) {
    const params = fuzzed(random, words, 30);
    const began = performance.now();
    const outcomes = await Promise.allSettled([
      historic.readMany({ params, startTime: '1970-01-01', endTime: '1970-01-02' }, who),
      historic.writeMany(field({ v: 1 }), { params }, who),
    ]);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect([params, ACCEPTED]).toEqual([params, expect.arrayContaining([refusal(outcome.reason)[0]])]);
    expect([params, performance.now() - began < SOON_MS]).toEqual([params, true]);
  }
});

test(`random relative times and intervals are answered or refused, soon (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 1);
  const node = historic.parameter();
  await historic.write(node, jts([[0, { v: 1 }]]));
  await historic.idle();
  const words = [
    'NOW',
    'SECOND',
    'MINUTE',
    'H',
    'D',
    'W',
    'MO',
    'Y',
    'M',
    'S',
    'MS',
    '+',
    '-',
    '1',
    '9',
    '999999999',
    '0',
    '.',
    'FIRST',
    'LAST',
    'DAY',
    ' ',
    'T',
    ':',
    'Z',
    '2024-01-01',
  ];
  const zones = ['Etc/UTC', 'Australia/Lord_Howe', 'Nowhere/Atlantis', 'America/St_Johns'];
  for (let n = 0; n < CASES; n += 1) {
    const given = {
      startTime: fuzzed(random, words, 8),
      endTime: fuzzed(random, words, 8),
      timezone: zones[Math.floor(random() * zones.length)] ?? '',
      limit: '10',
      ...(random() < 0.5 && {
        aggregate: 'AVERAGE',
        baseTime: fuzzed(random, words, 4),
        interval: fuzzed(random, words, 3),
      }),
    };
    const began = performance.now();
    const error = await historic.readText(node, given).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (error) expect([given, ACCEPTED]).toEqual([given, expect.arrayContaining([refusal(error)[0]])]);
    expect([given, performance.now() - began < SOON_MS]).toEqual([given, true]);
  }
});
