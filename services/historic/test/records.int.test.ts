import type { Edges } from '@catchment/contracts/historic';
import type { SeriesConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { type Field, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const T0 = Date.UTC(2024, 0, 1);
const MIN = 60_000;
const iso = (minute: number) => new Date(T0 + minute * MIN).toISOString();
const EVERYTHING = { startTime: iso(-1_000_000), endTime: iso(10_000_000) };

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

type Node = ReturnType<Historic['parameter']>;
const document = async (node: Node, given: Record<string, string> = EVERYTHING) =>
  JSON.parse((await historic.readText(node, given)).text);
/** `[minute, field]` of every record. */
const records = async (node: Node, given: Record<string, string> = EVERYTHING) =>
  (await document(node, given)).data.map(({ ts, f }: { ts: string; f: { 0: object } }) => [
    (Date.parse(ts) - T0) / MIN,
    f[0],
  ]);
const minutes = async (node: Node, given: Record<string, string>) =>
  (await records(node, given)).map(([minute]: [number]) => minute);
/** Writes and waits until it is stored. */
async function stored(node: Node, rows: readonly (readonly [number, Field])[]) {
  await historic.write(node, jts(rows.map(([minute, field]) => [T0 + minute * MIN, field])));
  await historic.idle();
}
const values = (from: number, to: number): [number, Field][] =>
  Array.from({ length: to - from }, (_, n) => [from + n, { v: from + n }]);

describe('round trip', () => {
  test.each<[string, Partial<SeriesConfig>, Field[]]>([
    ['numbers', {}, [{ v: 1.5 }, { v: -1e21 }, { v: 5e-324 }, { v: 0.1 }, { v: 1.7976931348623157e308 }]],
    ['texts', { valueType: TYPES.TEXT }, [{ v: 'a "b" \\ , = é\n\t😀' }, { v: '' }, { v: 'x'.repeat(10_000) }]],
    ['times', { valueType: TYPES.TIME }, [{ v: { $time: '1800-01-01T00:00:00.001Z' } }]],
    ['coordinates', { valueType: TYPES.COORDINATES }, [{ v: { $coords: [-33.123456789, 180] } }]],
    ['qualities', {}, [{ v: 1, q: 0 }, { v: 2, q: 65_535 }, { q: 158 }]],
    ['annotations', {}, [{ v: 1, a: 'site "x" \\ \n é' }, { a: 'alone' }, { v: 3, q: 4, a: 'y'.repeat(500) }]],
  ])('%s', async (_what, series, fields) => {
    const node = historic.parameter(series);
    await stored(
      node,
      fields.map((field, minute) => [minute, field]),
    );
    expect(await records(node)).toEqual(fields.map((field, minute) => [minute, field]));
  });

  test('rows out of order and twice: sorted, the later entry wins', async () => {
    const node = historic.parameter();
    await stored(node, [
      [3, { v: 3 }],
      [1, { v: 1, q: 9, a: 'old' }],
      [2, { v: 2 }],
      [1, { v: 11 }],
    ]);
    expect(await records(node)).toEqual([
      [1, { v: 11 }],
      [2, { v: 2 }],
      [3, { v: 3 }],
    ]);
  });

  test('the first and the last instant that can be stored', async () => {
    const node = historic.parameter();
    const [first, last] = ['1800-01-01T00:00:00.000Z', '2262-04-10T23:59:59.999Z'];
    await historic.write(
      node,
      jts([
        [last, { v: 2 }],
        [first, { v: 1 }],
      ]),
    );
    await historic.idle();
    const { data } = await document(node, { limit: '5' });
    expect(data.map(({ ts }: { ts: string }) => ts)).toEqual([first, last]);
    expect((await document(node, { startTime: last, endTime: '9998-12-31' })).header.recordCount).toBe(1);
  });
});

describe('overwriting', () => {
  test('replaces the whole record: the old quality and annotation are gone', async () => {
    const node = historic.parameter();
    await stored(node, [
      [0, { v: 1, q: 100, a: 'old' }],
      [1, { v: 1, q: 100, a: 'old' }],
    ]);
    await stored(node, [
      [0, { v: 2 }],
      [1, { q: 158 }],
    ]);
    expect(await records(node)).toEqual([
      [0, { v: 2 }],
      [1, { q: 158 }],
    ]);
  });

  test('a delete marker takes the record away; it may come again', async () => {
    const node = historic.parameter();
    await stored(node, values(0, 3));
    await stored(node, [
      [1, null],
      [7, null],
    ]);
    expect(await records(node)).toEqual([
      [0, { v: 0 }],
      [2, { v: 2 }],
    ]);
    await stored(node, [[1, { a: 'again' }]]);
    expect(await records(node)).toEqual([
      [0, { v: 0 }],
      [1, { a: 'again' }],
      [2, { v: 2 }],
    ]);
  });

  test('what clears everything deletes the record', async () => {
    const node = historic.parameter();
    await stored(node, [[0, { v: 1 }]]);
    await stored(node, [[0, { v: null, q: null, a: null }]]);
    expect(await records(node)).toEqual([]);
  });

  test('DELETE empties the series, and later writes fill it again', async () => {
    const [node, other] = [historic.parameter(), historic.parameter()];
    await stored(node, values(0, 3));
    await stored(other, values(0, 1));
    await historic.deleteHistoric(node);
    await historic.write(node, jts([[iso(2), { q: 7 }]]));
    await historic.idle();
    expect(await records(node)).toEqual([[2, { q: 7 }]]);
    expect(await records(other)).toHaveLength(1);
  });

  test('now: one record at arrival or at its time, in place of another', async () => {
    const node = historic.parameter();
    await historic.writeNow(node, { value: 5, quality: 9, annotation: 'x' }, undefined, T0);
    await historic.writeNow(node, { value: 6, timestamp: iso(0) });
    await historic.writeNow(node, { value: null, quality: 158, timestamp: iso(1) });
    await historic.idle();
    expect(await records(node)).toEqual([
      [0, { v: 6 }],
      [1, { q: 158 }],
    ]);
  });

  test('DISCARD stores nothing', async () => {
    const node = historic.parameter();
    expect(await historic.write(node, jts([[iso(0), { v: 1 }]]), { writeMode: 'DISCARD' })).toBe(0);
    await historic.idle();
    expect(await records(node)).toEqual([]);
  });
});

test('the quality of a state is stored with records that have none of their own', async () => {
  const states = [
    { stateId: newObjectId(), name: 'NORMAL', occurrences: 1, isAlarm: false },
    { stateId: newObjectId(), name: 'HIGH', threshold: 100, qualityCode: 155, occurrences: 1, isAlarm: false },
  ] as SeriesConfig['states'];
  const node = historic.parameter({ statesType: 'RANGE', states, multiplier: 10 });
  await stored(node, [
    [0, { v: 9 }],
    [1, { v: 10 }],
    [2, { v: 10, q: 1 }],
  ]);
  expect(await records(node)).toEqual([
    [0, { v: 90 }],
    [1, { v: 100, q: 155 }],
    [2, { v: 100, q: 1 }],
  ]);
  expect(await minutes(node, { ...EVERYTHING, qualityExcluded: 'BAD' })).toEqual([0, 2]);
  expect(await minutes(node, { ...EVERYTHING, qualityExcluded: 'BAD,UNCERTAIN' })).toEqual([0]);
  expect(await minutes(node, { limit: '2', qualityExcluded: 'UNCERTAIN' })).toEqual([0, 1]);
});

describe('range and limit', () => {
  let node: Node;
  beforeAll(async () => {
    node = historic.parameter();
    await stored(node, values(0, 10));
  });

  /** See docs/reference/reading.md#range-and-limit. */
  test.each<[Record<string, string>, number[]]>([
    [{ startTime: iso(3), endTime: iso(5) }, [3, 4, 5]],
    [{ startTime: iso(3), endTime: iso(8), limit: '2' }, [3, 4]],
    [{ startTime: iso(3), limit: '2' }, [3, 4]],
    [{ endTime: iso(5), limit: '2' }, [4, 5]],
    [{ limit: '2' }, [8, 9]],
    [{ limit: '50' }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ startTime: 'FIRST+1M', endTime: 'LAST-7M' }, [1, 2]],
    [{ startTime: 'LAST-1M', endTime: 'NOW' }, [8, 9]],
    [{ startTime: iso(50), endTime: 'NOW' }, []],
  ])('%j', async (given, expected) => {
    expect(await minutes(node, given)).toEqual(expected);
  });

  test('the header shows the bounds as given, or else what was found', async () => {
    const header = async (given: Record<string, string>) => {
      const { startTime, endTime, recordCount } = (await document(node, given)).header;
      return [startTime, endTime, recordCount];
    };
    expect(await header({ startTime: iso(-5), limit: '2' })).toEqual([iso(-5), iso(1), 2]);
    expect(await header({ limit: '2' })).toEqual([iso(8), iso(9), 2]);
    expect(await header({ endTime: iso(-5), limit: '2' })).toEqual([null, iso(-5), 0]);
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'startTime: must be given when there is no limit'],
    [{ startTime: iso(0) }, 'endTime: must be given when there is no limit'],
    [{ endTime: 'LAST' }, 'startTime: must be given when there is no limit'],
    [{ startTime: iso(2), endTime: iso(1) }, 'startTime: must not be after endTime'],
    [{ startTime: 'NOW', endTime: 'NOW-1D' }, 'startTime: must not be after endTime'],
    [{ startTime: 'NOW-9000Y', limit: '1' }, 'startTime must stay within the years'],
    [{ limit: '1', aggregate: 'AVERAGE' }, 'baseTime: must be given with aggregate AVERAGE'],
  ])('%j is 400, even of a node that is not there', async (given, message) => {
    const unknown = { nodeId: newObjectId(), ownerId: node.ownerId };
    await expect(historic.readText(unknown, given)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(message),
    });
  });

  test('LAST before FIRST is 400 once the series is known', async () => {
    await expect(document(node, { startTime: 'LAST', endTime: 'FIRST' })).rejects.toMatchObject({
      kind: 'invalid_argument',
    });
  });

  test('FIRST and LAST of a series without data are now', async () => {
    expect(await records(historic.parameter(), { startTime: 'FIRST-1D', endTime: 'LAST' })).toEqual([]);
  });
});

test('timeFormat and timezone shape the times of JSON and CSV', async () => {
  const node = historic.parameter({ units: 'm³' });
  await stored(node, [
    [0, { v: 1.25, q: 5, a: 'x' }],
    [1, { q: 6 }],
  ]);
  const given = { limit: '5', timezone: 'Australia/Brisbane', timeFormat: 'YYYY-MM-DDTHH:mm:ss' };
  const { data, header } = await document(node, given);
  expect(data[0].ts).toBe('2024-01-01T10:00:00');
  expect(header.columns[0]).toMatchObject({ id: node.nodeId, name: 'Level', units: 'm³' });
  const csv = await historic.readText(node, {
    ...given,
    format: 'csv',
    quality: 'SEPARATE_VALUE',
    annotation: 'SEPARATE_VALUE',
  });
  expect(csv.contentType).toBe('text/csv; charset=utf-8');
  expect(csv.text.split('\n').slice(2)).toEqual([
    '"Units","m³","",""',
    '2024-01-01T10:00:00,1.25,5,"x"',
    '2024-01-01T10:01:00,,6,',
    '',
  ]);
});

test('MODIFIED asks for when records were written', async () => {
  const node = historic.parameter();
  await stored(node, values(0, 3));
  const between = await historic.nextMs();
  await historic.nextMs();
  await stored(node, [
    [1, { v: 9 }],
    [0, null],
    [5, { v: 5 }],
  ]);
  const modified = (given: Record<string, string>) => minutes(node, { timeQuery: 'modified', ...given });
  const at = new Date(between).toISOString();
  expect(await modified({ startTime: at, endTime: 'NOW' })).toEqual([1, 5]);
  expect(await modified({ startTime: at, limit: '1' })).toEqual([1]);
  expect(await modified({ endTime: at, limit: '5' })).toEqual([2]);
  expect(await modified({ limit: '1' })).toEqual([2]);
  expect(await modified({ startTime: 'NOW+1H', limit: '5' })).toEqual([]);
});

describe('other services', () => {
  test('edges: the newest records having a value, and the oldest', async () => {
    const node = historic.parameter({ multiplier: 10 });
    await stored(node, [
      [0, { q: 158 }],
      [1, { v: 1 }],
      [2, { v: 2, q: 7 }],
      [3, { v: 3 }],
      [4, { a: 'no value' }],
    ]);
    const unknown = newObjectId();
    const [edges, none] = await historic.edges(node.ownerId, [node.nodeId, unknown]);
    const value = (v: number) => ({ $case: 'number', value: v });
    expect(edges?.newest).toEqual([
      { timestampMs: T0 + 3 * MIN, value: value(3), quality: undefined },
      { timestampMs: T0 + 2 * MIN, value: value(2), quality: 7 },
    ]);
    expect(edges?.oldest).toMatchObject({ timestampMs: T0 + MIN, value: value(1) });
    expect(none).toEqual({ nodeId: unknown, newest: [], oldest: undefined });
    const until = async (minute: number) => {
      const [then] = await historic.edges(node.ownerId, [node.nodeId], 1, undefined, T0 + minute * MIN);
      return [then?.newest[0]?.timestampMs, then?.oldest?.timestampMs];
    };
    expect(await until(2)).toEqual([T0 + 2 * MIN, T0 + MIN]);
    expect(await until(2.5)).toEqual([T0 + 2 * MIN, T0 + MIN]);
    expect(await until(0.5)).toEqual([undefined, undefined]);
    await expect(historic.edges(node.ownerId, Array(501).fill(unknown))).rejects.toMatchObject({
      message: 'nodeIds: must be at most 500',
    });
  });

  test('edges before a write: what came to the log before, as far as it was not written again', async () => {
    const [node, unknown] = [historic.parameter(), newObjectId()];
    await stored(node, values(0, 10));
    const beforeMs = await historic.nextMs();
    await stored(node, values(5, 8));
    const minutesOf = (edges: Edges) => edges.newest.map(({ timestampMs }) => (timestampMs - T0) / MIN);
    const of = [node.nodeId, unknown];
    const { edges, earlier, logSequence } = await historic.edgesBefore(node.ownerId, of, 4, [beforeMs, beforeMs]);
    expect([edges.map(minutesOf), earlier.map(minutesOf)]).toEqual([
      [[9, 8, 7, 6], []],
      [[9, 8, 4, 3], []],
    ]);
    expect(logSequence).toBe(await historic.bus.lastSequence('INGEST'));
    await expect(historic.edgesBefore(node.ownerId, of, 4, [1])).rejects.toMatchObject({
      message: 'writtenBeforeMs: must have as many entries as nodeIds',
    });
  });

  test('a series as columns, with the nearest records outside the range', async () => {
    const node = historic.parameter({ multiplier: 2 });
    await stored(node, values(0, 10));
    const numbersOf = async (given: object) => {
      const [chunk] = await historic.readSeries(node, given);
      const doubles = new Float64Array(new Uint8Array(chunk?.numbers ?? []).buffer);
      const qualities = new Int32Array(new Uint8Array(chunk?.qualities ?? []).buffer);
      return [[...doubles], [...qualities]];
    };
    const range = { startMs: T0 + 3 * MIN, endMs: T0 + 4 * MIN };
    expect(await numbersOf(range)).toEqual([[3, 4], []]);
    expect(await numbersOf({ ...range, transformed: true })).toEqual([[6, 8], []]);
    expect(await numbersOf({ ...range, bounding: true })).toEqual([
      [2, 3, 4, 5],
      [156, -1, -1, 156],
    ]);
    expect(await numbersOf({ startMs: T0, endMs: T0 + 9 * MIN, bounding: true, limit: 1 })).toEqual([[0], []]);
    expect(await numbersOf({ endMs: T0 + 4 * MIN, limit: 2 })).toEqual([[3, 4], []]);
    expect(await numbersOf({ startMs: Date.UTC(9000, 0), bounding: true })).toEqual([[9], [156]]);
    await expect(numbersOf({ startMs: 2, endMs: 1 })).rejects.toMatchObject({ kind: 'invalid_argument' });
  });
});

test('a document larger than one message, and an answer of more than one chunk', async () => {
  const node = historic.parameter({ valueType: TYPES.TEXT });
  const text = (n: number) => `${n} ${'ü'.repeat(1_000)}`;
  await stored(
    node,
    Array.from({ length: 1_500 }, (_, n) => [n, { v: text(n) }]),
  );
  const got = await records(node);
  expect(got).toHaveLength(1_500);
  expect(got[1_499]).toEqual([1_499, { v: text(1_499) }]);
  const parts = historic.messages.filter(({ data }) => data.byteLength > 500_000);
  expect(parts.length).toBeGreaterThan(1);
  // The message comes again, as after a crash before the acknowledgement.
  for (const { partition, sequence, data } of historic.messages.slice(-parts.length - 1))
    await historic.applier.apply(partition, [{ sequence, data }], AbortSignal.timeout(HANGS_AFTER_MS));
  expect(await records(node)).toHaveLength(1_500);
});

test('a scan goes through as many pages as it takes', async () => {
  const node = historic.parameter();
  await stored(node, values(0, 2_000));
  await stored(
    node,
    Array.from({ length: 900 }, (_, n) => [1_000 + n, null]),
  );
  // The first page has 2 + 16 rows, all deleted; then larger pages come.
  expect(await minutes(node, { startTime: iso(1_000), limit: '2' })).toEqual([1_900, 1_901]);
  expect(await minutes(node, { endTime: iso(1_899), limit: '2' })).toEqual([998, 999]);
});
