import type { Column, DataType, Table, WriteMode } from '../src/index.ts';
import { accepted, document, failed, fake, json, sent } from './fake.ts';

const HOUR = Date.parse('2024-01-01T00:00:00Z');
const column = (label: string, values: unknown[], more: Partial<Column> = {}): Column => {
  const nothing = values.map(() => undefined);
  return { label, dataType: 'NUMBER' as DataType, values, quality: nothing, annotations: nothing, ...more };
};
const table = (times: number[], ...columns: Column[]): Table => ({ times, columns });

test.each([
  ['2024-01', '2025-01', undefined, '2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
  ['2024', HOUR + 1_000, undefined, '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.999Z'],
  ['2024-01', '2024-07', 'Australia/Sydney', '2023-12-31T13:00:00.000Z', '2024-06-30T13:59:59.999Z'],
  [
    new Date(HOUR),
    '2024-01-02T00:00:00.1234567+0200',
    'Australia/Sydney',
    '2024-01-01T00:00:00.000Z',
    '2024-01-01T22:00:00.122Z',
  ],
  ['NOW-7D', 'NOW', undefined, 'NOW-7D', 'NOW'],
  // A time that the clock skips moves forward, of one that comes twice the earlier counts.
  ['2024-03-31T02:30', '2024-10-27T02:30', 'Europe/Berlin', '2024-03-31T01:30:00.000Z', '2024-10-27T00:29:59.999Z'],
])('a range from %s to before %s in %s', async (start, end, tz, from, to) => {
  const { client, query } = fake(document([]));
  await client().historic.read('@a', { start, end, ...(tz && { tz }) });
  expect([query().get('startTime'), query().get('endTime')]).toEqual([from, to]);
  expect([query().get('timezone'), query().get('timezoneAdjustForDst')]).toEqual(tz ? [tz, 'TRUE'] : [null, null]);
});

test.each([
  [{ start: '2024' }, 'end'],
  [{ start: '2024-13', end: '2025' }, 'start'],
  [{ start: '2024-02-30', end: '2025' }, 'start'],
  [{ start: Number.NaN, end: '2025' }, 'start'],
  [{ start: '9.10.2024', end: '2025' }, 'start'],
  [{ start: '2024', end: '2025', tz: 'Mars/Base' }, 'tz'],
  [{ start: '2024', end: '2025', aggregate: 'AVERAGE' }, 'interval'],
])('%j is refused before anything is sent', async (options, argument) => {
  const { client, requests } = fake(document([]));
  await expect(client().historic.read('@a', options)).rejects.toMatchObject({ kind: 'argument', argument });
  await expect(client().historic.read('@a(x)', { limit: 1 })).rejects.toMatchObject({ argument: 'nodes' });
  expect(requests).toEqual([]);
});

test('values come as what they are, and what is missing as undefined with its quality', async () => {
  const types = ['NUMBER', 'TEXT', 'TIME', 'COORDINATES'];
  const columns = Object.fromEntries(types.map((dataType, n) => [n, { id: String(n), name: dataType, dataType }]));
  const rows = [
    ['2024-01-01T00:00:00.000Z', { 0: { v: 1, q: 100, a: 'ok' }, 1: { v: '' } }],
    [
      '2024-01-01T10:00:00.001+10:00',
      { 0: { q: 158 }, 2: { v: { $time: '2024-01-01T00:00:00.000Z' } }, 3: { v: { $coords: [1, 2] } } },
    ],
  ] as const;
  const { client } = fake(document(rows, { columns }));
  const found = await client().historic.read(['@a', '@b', '@c', '@d'], { start: '2024', end: '2025' });
  expect(found.times).toEqual([HOUR, HOUR + 1]);
  expect(found.columns.map(({ values }) => values)).toEqual([
    [1, undefined],
    ['', undefined],
    [undefined, new Date(HOUR)],
    [undefined, [1, 2]],
  ]);
  expect(found.columns[0]).toMatchObject({ quality: [100, 158], annotations: ['ok', undefined], name: 'NUMBER' });
});

test('a range that is too large is read in halves, in order', async () => {
  const answer = (request: Request) => {
    const query = new URL(request.url).searchParams;
    const [from, to] = ['startTime', 'endTime'].map((name) => Date.parse(query.get(name) ?? '')) as [number, number];
    return to - from > 100 * 86_400_000 ? failed(413) : document([[new Date(from).toISOString(), { 0: { v: 1 } }]]);
  };
  const { client } = fake(answer);
  const { times } = await client().historic.read('@a', { start: '2024', end: '2025' });
  expect(times).toHaveLength(4);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  for (const options of [{ aggregate: 'AVERAGE', interval: '1D' }, { limit: 9 }, { aggregate: 'CHANGE' }]) {
    const read = client().historic.read('@a', { start: '2024', end: '2025', ...options });
    await expect(read).rejects.toMatchObject({ kind: 'too_large' });
  }
});

test('a table becomes a document with gaps, flags and all types', async () => {
  const { client, requests, query } = fake(json({ _class: 'io.svc.models.node.source.data.Jts' }), accepted());
  const columns = [
    column('level', [2, 1.5], { quality: [158, undefined], annotations: [undefined, 'by hand'], units: 'm' }),
    column('note', ['ü', Number.NaN], { dataType: 'TEXT' }),
    column('seen', [new Date(HOUR), null], { dataType: 'TIME' }),
    column('place', [[1, 2], undefined], { dataType: 'COORDINATES' }),
  ];
  const written = await client().historic.write('@mill', table([HOUR + 1, HOUR], ...columns), { notifyOn: 'NONE' });
  expect(written).toEqual({ records: 5, parts: 1 });
  expect(Object.fromEntries(query())).toEqual({ writeMode: 'MERGE_OVERWRITE_EXISTING', notifyOn: 'NONE' });
  const body = await sent(requests[1]);
  expect(body.header.columns).toMatchObject({ 0: { dataType: 'NUMBER', series: 'level', name: 'level', units: 'm' } });
  expect(body.data).toEqual([
    { ts: HOUR, f: { 0: { v: 1.5, a: 'by hand' } } },
    {
      ts: HOUR + 1,
      f: {
        0: { v: 2, q: 158 },
        1: { v: 'ü' },
        2: { v: { $time: '2024-01-01T00:00:00.000Z' } },
        3: { v: { $coords: [1, 2] } },
      },
    },
  ]);
});

test.each([
  ['a time twice', table([HOUR, HOUR], column('a', [1, 2])), /table\.times: has 2024-01-01T00:00:00\.000Z twice/],
  ['a part of a millisecond', table([0.5], column('a', [1])), /whole number of milliseconds/],
  ['no time', table([Number.NaN], column('a', [1])), /whole number of milliseconds/],
  ['infinity', table([HOUR], column('a', [Number.POSITIVE_INFINITY])), /'a' at 2024-01-01T00:00:00\.000Z is infinite/],
  ['a part of a place', table([HOUR], column('a', [[1, Number.NaN]])), /must be \[latitude, longitude\]/],
  ['no date', table([HOUR], column('a', [new Date(Number.NaN)])), /is no time within the years/],
  ['a number of another kind', table([HOUR], column('a', [1n])), /must be a number/],
  ['a time that no record has', table([9e15], column('a', [1])), /1800 to 9998/],
  ['a wrong quality', table([HOUR], column('a', [1], { quality: [1.5] })), /0 to 65535/],
  ['too few values', table([HOUR, HOUR + 1], column('a', [1])), /as many as times: 2/],
  ['no column', table([HOUR]), /has no column/],
])('a table with %s is refused before anything is sent', async (_what, given, text) => {
  const { client, requests } = fake(json({ _class: 'x.source.y' }));
  await expect(client().historic.write('@a', given)).rejects.toThrow(text);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const many = (count: number, values = (n: number): unknown => n) => {
  const times = Array.from({ length: count }, (_, n) => HOUR + n * 60_000);
  return table(
    times,
    column(
      'a',
      times.map((_, n) => values(n)),
    ),
  );
};

test('a large table takes parts, and a range that is replaced reaches over them', async () => {
  const { client, requests } = fake(accepted());
  expect(await client().historic.write('@a', many(60_000), { mode: 'INSERT_DELETE_EXISTING' })).toEqual({
    records: 60_000,
    parts: 2,
  });
  const second = await sent(requests[1]);
  expect(second.data.slice(0, 2)).toEqual([
    { ts: HOUR + 49_999 * 60_000 + 1, f: { 0: null } },
    { ts: HOUR + 50_000 * 60_000, f: { 0: { v: 50_000 } } },
  ]);
  await expect(client().historic.write('@a', many(50_001), { mode: 'MERGE_FAIL_ON_EXISTING' })).rejects.toThrow(
    /all or nothing/,
  );
});

test.each([
  ['DELETE', 3],
  ['DELETE_RANGE', 2],
] as const)('%s sends markers', async (mode: WriteMode, count) => {
  const { client, requests } = fake(accepted());
  await client().historic.write('@a', many(3), { mode });
  expect((await sent(requests[0])).data).toHaveLength(count);
});

test('what is half written is reported', async () => {
  const { client } = fake(accepted(), failed(403, 'Not permitted'));
  const write = client().historic.write('@a', many(60_000));
  await expect(write).rejects.toMatchObject({ kind: 'partial_write', cause: { kind: 'permission' } });
  await expect(write).rejects.toThrow(/1 of 2 parts are stored, 50000 records, all columns up to 2024-02-04T17:19:00/);
});

test('what is half written of many columns is safe in all of them', async () => {
  const wide = table([HOUR], ...Array.from({ length: 101 }, (_, n) => column(`c${n}`, [n])));
  const { client } = fake(json({ _class: 'x.source.y' }), accepted(), failed(403, 'Not permitted'));
  await expect(client().historic.write('@a', wide)).rejects.toThrow(
    /1 of 2 parts are stored, 100 records, all columns up to 2023-12-31T23:59:59\.999Z/,
  );
});

test('several columns need a source, or their nodes', async () => {
  const two = table([HOUR], column('@a', [1]), column('@b', [2]));
  const parameter = fake(json({ _class: 'io.svc.models.node.point.NumberPoint' })).client();
  await expect(parameter.historic.write('@c', two)).rejects.toThrow(/@c is one series/);
  const { client, requests } = fake(accepted());
  await client().historic.write(undefined, two);
  expect(requests[0]?.url).toContain('/api/v1/historic?');
  expect((await sent(requests[0])).header.columns).toMatchObject({ 0: { id: '@a' }, 1: { id: '@b' } });
  await expect(client().historic.write(undefined, many(1))).rejects.toThrow(/'a' be an _id/);
});

test('readable is waited for where the server reports it', async () => {
  const state = (readable: boolean, durable = true) => json({ durable, readable });
  const { client, requests } = fake(accepted({ write: 'w/1' }), state(false), state(true));
  await client().historic.write('@a', many(1), { wait: 'readable' });
  expect(requests[1]?.url).toBe('https://catchment.test/api/v1/writes/w%2F1?wait=10');
  const lost = fake(accepted({ write: 'w' }), state(false, false)).client();
  await expect(lost.historic.write('@a', many(1), { wait: 'readable' })).rejects.toThrow(/write it again/);
  const old = fake(accepted()).client();
  await expect(old.historic.write('@a', many(1), { wait: 'readable' })).rejects.toMatchObject({ kind: 'unsupported' });
});

test('changes are read page by page, and go on at a place', async () => {
  const rows = [['2024-01-01T00:00:00.000Z', { 0: { v: 1 } }]] as const;
  const { client, query } = fake(document(rows, { next: 'n1' }), document(rows));
  const found = await Array.fromAsync(client().historic.changes('@a', { since: '2024' }));
  expect(found.map(({ place, value }) => [place, value])).toEqual([
    [undefined, 1],
    ['n1', 1],
  ]);
  expect([query(0).get('after'), query(1).get('after'), query(0).get('timeQuery')]).toEqual([null, 'n1', 'MODIFIED']);
  await expect(client().historic.changes('@a', {}).next()).rejects.toThrow(/^since: /);
});
