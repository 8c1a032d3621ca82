import { newObjectId } from '@catchment/ids';
import { type Column, FLAG, rangeOf } from '@catchment/ingest-log';
import { createLogger } from '@catchment/telemetry';
import { testInflux } from '@catchment/testkit';
import { column } from '@catchment/testkit/columns';
import {
  applyToModel,
  columnOf,
  MODES,
  type Model,
  type ModelRecord,
  type ModeName,
  randomFrom,
  SEED,
  sorted,
  type Updates,
} from '@catchment/testkit/write-model';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';
import { rowsOf } from '../src/influx/store/influx-rows.ts';
import { inChunks } from '../src/influx/store/influxql.ts';
import { type Existing, planWrite, questionOf, UNASKED } from '../src/records/domain/plan-write.ts';
import type { StoredRecord } from '../src/records/domain/record-set.ts';

import { InfluxPresence } from '../src/records/store/influx-presence.ts';
import { InfluxRecords } from '../src/records/store/influx-records.ts';

import { edgesBefore } from '../src/records/usecases/edges.ts';
import { TYPES } from './series.ts';

const { signal } = new AbortController();
const SERIES = 24;
/** No record is a run: as earlier versions wrote them. */
const ALWAYS = { leastRun: Number.POSITIVE_INFINITY };

let influx: Awaited<ReturnType<typeof testInflux>>;
let connection: InfluxConnection;
let presence: InfluxPresence;
beforeAll(async () => {
  influx = await testInflux();
  connection = new InfluxConnection({
    url: influx.url,
    database: influx.database,
    log: createLogger('test', { level: 'silent' }),
  });
  presence = new InfluxPresence(connection);
});
afterAll(async () => {
  connection?.close();
  await influx?.drop();
});

const plain = (nodeId: string, times: readonly number[], first: number, modifiedMs: number): Column =>
  column(times, {
    nodeId,
    modifiedMs,
    numbers: Float64Array.from(times, (_, n) => first + n),
    flags: Uint8Array.of(FLAG.value),
  });

async function existingFor(written: Column): Promise<Existing> {
  const { nodeId, timestamps } = written;
  switch (questionOf(written)) {
    case 'nothing':
      return UNASKED;
    case 'presence':
      return { presence: await presence.presenceAt(nodeId, timestamps, signal) };
    case 'any':
      return { presence: Uint8Array.of((await presence.hasAny(nodeId, rangeOf(written), signal)) ? 1 : 0) };
    case 'times':
      return { ...UNASKED, times: await presence.timesIn(nodeId, rangeOf(written), signal) };
  }
}

async function store(records: InfluxRecords, written: Column): Promise<void> {
  const plan = planWrite(written, await existingFor(written));
  if (plan.kind === 'failed') return;
  if (plan.clears) await presence.deleteRange(written.nodeId, plan.clears, signal);
  await records.writeColumns(plan.columns, signal);
}

const shown = ({ timeMs, number, quality, annotation }: StoredRecord): [number, ModelRecord] => [
  timeMs,
  {
    ...(number !== undefined && { v: number }),
    ...(quality !== undefined && { q: quality }),
    ...(annotation !== undefined && { a: annotation }),
  },
];

async function scanned(records: InfluxRecords, nodeId: string): Promise<[number, ModelRecord][]> {
  const all: [number, ModelRecord][] = [];
  const plan = { fromMs: -1_000_000, toMs: 1_000_000, order: 'ascending' as const, limit: undefined };
  await records.scan({ nodeId, valueType: TYPES.NUMBER }, plan, signal, (record) => {
    all.push(shown(record));
    return true;
  });
  return all;
}

async function modifiedWithin(
  records: InfluxRecords,
  nodeId: string,
  fromMs: number,
  toMs: number,
  within?: { fromMs: number; toMs: number },
) {
  const found: [number, number][] = [];
  const see = ({ timeMs, modifiedMs }: StoredRecord) => {
    found.push([timeMs, modifiedMs]);
    return true;
  };
  await records.scanModified({ nodeId, valueType: TYPES.NUMBER }, { fromMs, toMs }, signal, see, within);
  return found;
}

async function writtenBefore(records: InfluxRecords, nodeId: string, beforeMs: number, most: number) {
  const found: [number, ModelRecord][] = [];
  await records.scanWrittenBefore({ nodeId, valueType: TYPES.NUMBER }, beforeMs, signal, (record) => {
    found.push([record.timeMs, shown(record)[1]]);
    return found.length < most;
  });
  return found;
}

/** Counts points with a field, deleted records among them. */
async function countOf(nodeId: string, field: 'p' | 'v'): Promise<number> {
  const statement = `SELECT count("${field}") FROM "h" WHERE "s" = '${nodeId}'`;
  const rows = await Array.fromAsync(rowsOf(connection.query(statement, inChunks(1), signal)));
  return Number(rows[0]?.[0]?.[1] ?? 0);
}

test('numbers behind all that a series has are stored without presence fields; others replace with them', async () => {
  const records = new InfluxRecords(connection, { leastRun: 3 });
  const nodeId = newObjectId();
  await records.writeColumns([plain(nodeId, [1, 2, 3], 1, 100), plain(nodeId, [4, 5, 6], 4, 200)], signal);
  expect([await countOf(nodeId, 'v'), await countOf(nodeId, 'p')]).toEqual([6, 0]);
  // Records are too few; then they lie among others.
  await records.writeColumns([plain(nodeId, [7, 8], 7, 300), plain(nodeId, [6, 9, 10], 60, 400)], signal);
  expect([await countOf(nodeId, 'v'), await countOf(nodeId, 'p')]).toEqual([10, 5]);
  expect(await modifiedWithin(records, nodeId, 0, 1_000)).toEqual([
    ...[1, 2, 3].map((time) => [time, 100]),
    ...[4, 5].map((time) => [time, 200]),
    [6, 400],
    ...[7, 8].map((time) => [time, 300]),
    ...[9, 10].map((time) => [time, 400]),
  ]);
});

test('the store is asked once for a series in a span of the log, and again in the next one and after a deletion', async () => {
  const log = { span: 1 };
  const records = new InfluxRecords(connection, { leastRun: 3, heldSpan: async () => log.span });
  const asked = vi.spyOn(connection, 'query');
  const nodeId = newObjectId();
  const questions: number[] = [];
  const write = async (times: readonly number[], modifiedMs: number) => {
    asked.mockClear();
    await records.writeColumns([plain(nodeId, times, times[0] ?? 0, modifiedMs)], signal);
    questions.push(asked.mock.calls.length);
  };
  await write([1, 2, 3], 100);
  await write([4, 5, 6], 200);
  // Few records are not asked for; those that come later may not lie among them.
  await write([20, 21], 300);
  await write([19, 20, 22], 400);
  await write([23, 24, 25], 500);
  log.span = 2;
  await write([26, 27, 28], 600);
  await records.deleteSeries([nodeId], signal);
  await write([1, 2, 3], 700);
  asked.mockRestore();
  expect(questions).toEqual([1, 0, 0, 0, 0, 1, 1]);
  expect(await modifiedWithin(records, nodeId, 0, 1_000)).toEqual([1, 2, 3].map((time) => [time, 700]));
  expect([await countOf(nodeId, 'v'), await countOf(nodeId, 'p')]).toEqual([3, 0]);
});

test('records among those of a series are stored with presence fields, without a question', async () => {
  const records = new InfluxRecords(connection, { leastRun: 3, heldSpan: async () => 1 });
  const nodeId = newObjectId();
  await records.writeColumns([plain(nodeId, [1, 2, 3, 4, 5], 1, 100)], signal);
  await records.writeColumns([plain(nodeId, [9], 9, 200)], signal);
  await records.writeColumns([plain(nodeId, [7, 8, 9, 10], 70, 300)], signal);
  expect([await countOf(nodeId, 'v'), await countOf(nodeId, 'p')]).toEqual([9, 4]);
  expect(await modifiedWithin(records, nodeId, 0, 1_000)).toEqual([
    ...[1, 2, 3, 4, 5].map((time) => [time, 100]),
    ...[7, 8, 9, 10].map((time) => [time, 300]),
  ]);
});

test('the newest records that were written before a time are found behind any number of later ones', async () => {
  const records = new InfluxRecords(connection, { leastRun: 50 });
  const nodeId = newObjectId();
  const [first, later] = [Array.from({ length: 100 }, (_, n) => 2 * n), Array.from({ length: 900 }, (_, n) => n + 100)];
  await records.writeColumns([plain(nodeId, first, 1, 100)], signal);
  await records.writeColumns([plain(nodeId, later, 1, 200)], signal);
  expect((await writtenBefore(records, nodeId, 200, 3)).map(([time]) => time)).toEqual([98, 96, 94]);
  expect((await writtenBefore(records, nodeId, 201, 2)).map(([time]) => time)).toEqual([999, 998]);
  expect(await writtenBefore(records, nodeId, 100, 3)).toEqual([]);
});

test('a read that gets values alone takes no record for one that was written before a time', async () => {
  const records = new InfluxRecords(connection, { leastRun: 50 });
  const series = { nodeId: newObjectId(), valueType: TYPES.NUMBER };
  await records.writeColumns([plain(series.nodeId, [1, 2, 3], 1, 100)], signal);
  const later = Array.from({ length: 20 }, (_, n) => n + 4);
  await records.writeColumns([plain(series.nodeId, later, 4, 200)], signal);
  // From now on the series is known to have numbers alone.
  const whole = { fromMs: 0, toMs: 1_000, order: 'descending', limit: 1_000 } as const;
  await records.scan(series, whole, signal, () => true);
  const { newest, earlier } = await edgesBefore(records, records, series, { count: 2, beforeMs: 200 }, signal);
  expect([newest, earlier].map((some) => some.map(({ timestampMs }) => timestampMs))).toEqual([
    [23, 22],
    [3, 2],
  ]);
});

test('what comes again after it was stored is stored the same', async () => {
  const records = new InfluxRecords(connection, { leastRun: 2 });
  const nodeId = newObjectId();
  const columns = [plain(nodeId, [1, 2, 3], 1, 100), plain(nodeId, [4, 5], 4, 200)];
  await records.writeColumns(columns, signal);
  const before = [await scanned(records, nodeId), await modifiedWithin(records, nodeId, 0, 1_000)];
  await records.writeColumns(columns, signal);
  expect([await scanned(records, nodeId), await modifiedWithin(records, nodeId, 0, 1_000)]).toEqual(before);
});

test('a series that was deleted begins anew, its runs too', async () => {
  const records = new InfluxRecords(connection, { leastRun: 2 });
  const nodeId = newObjectId();
  await records.writeColumns([plain(nodeId, [5, 6, 7], 1, 100)], signal);
  await records.deleteSeries([nodeId], signal);
  await records.writeColumns([plain(nodeId, [1, 6, 9], 1, 200)], signal);
  expect(await modifiedWithin(records, nodeId, 0, 1_000)).toEqual([1, 6, 9].map((time) => [time, 200]));
  expect(await countOf(nodeId, 'p')).toBe(0);
});

test('records of earlier versions, with presence fields on all, are read as before, and more is appended to them', async () => {
  const nodeId = newObjectId();
  await new InfluxRecords(connection, ALWAYS).writeColumns([plain(nodeId, [1, 2], 1, 100)], signal);
  const records = new InfluxRecords(connection, { leastRun: 2 });
  await records.writeColumns([plain(nodeId, [3, 4], 3, 200)], signal);
  expect(await countOf(nodeId, 'p')).toBe(2);
  expect(await scanned(records, nodeId)).toEqual([1, 2, 3, 4].map((time) => [time, { v: time }]));
  expect(await modifiedWithin(records, nodeId, 100, 199)).toEqual([1, 2].map((time) => [time, 100]));
  expect(await modifiedWithin(records, nodeId, 101, 200)).toEqual([3, 4].map((time) => [time, 200]));
});

/** These modes change none of the records that remain. */
const CHANGES_NOTHING: readonly ModeName[] = ['DISCARD', 'DELETE_RANGE'];

/** Returns numbers alone, mostly behind the newest time; sometimes among what is there. */
function randomNumbers(random: () => number, newest: number): number[] {
  const first = random() < 0.7 ? newest + 1 : Math.floor(random() * (newest + 2));
  return Array.from({ length: 1 + Math.floor(random() * 6) }, (_, n) => first + n * (random() < 0.8 ? 1 : 2))
    .sort((a, b) => a - b)
    .filter((time, n, all) => time !== all[n - 1]);
}

/** @returns whether records were stored without presence fields */
async function checkSeries(random: () => number): Promise<boolean> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const records = new InfluxRecords(connection, { leastRun: 2 });
  const nodeId = newObjectId();
  const model: Model = new Map();
  const modified = new Map<number, number>();
  const history: string[] = [];
  for (let step = 1; step <= 10; step += 1) {
    const modifiedMs = step * 10;
    const newest = Math.max(0, ...model.keys());
    const before = new Map(model);
    let mode: ModeName = 'MERGE_OVERWRITE_EXISTING';
    let updates: Updates;
    if (random() < 0.65) {
      const times = randomNumbers(random, newest);
      updates = new Map(times.map((time, n) => [time, { v: step * 100 + n }]));
      await store(records, plain(nodeId, times, step * 100, modifiedMs));
    } else {
      mode = pick(MODES);
      const times = Array.from({ length: newest + 2 }, (_, n) => n).filter(() => random() < 0.3);
      if (times.length === 0) times.push(newest);
      const sent = () =>
        pick([null, { v: step }, { v: step, q: step }, { q: step }, { v: null }, { q: null, a: `a${step}` }]);
      updates = new Map(times.map((time) => [time, sent()]));
      await store(records, columnOf(mode, updates, { nodeId, modifiedMs }));
    }
    history.push(`${mode} ${JSON.stringify([...updates])}`);
    if (applyToModel(model, mode, updates) === undefined && !CHANGES_NOTHING.includes(mode))
      for (const time of updates.keys())
        if (mode !== 'MERGE_PRESERVE_EXISTING' || !before.has(time)) modified.set(time, modifiedMs);
    for (const time of modified.keys()) if (!model.has(time)) modified.delete(time);
  }
  expect({ history, records: await scanned(records, nodeId) }).toEqual({ history, records: sorted(model) });
  const [from, to] = [Math.floor(random() * 60), 40 + Math.floor(random() * 70)];
  const within = { fromMs: Math.floor(random() * 10), toMs: 10 + Math.floor(random() * 30) };
  const expected = [...modified].sort(([a], [b]) => a - b).filter(([, ms]) => ms >= from && ms <= to);
  expect({ history, found: await modifiedWithin(records, nodeId, from, to) }).toEqual({ history, found: expected });
  expect({ history, within, found: await modifiedWithin(records, nodeId, from, to, within) }).toEqual({
    history,
    within,
    found: expected.filter(([time]) => time >= within.fromMs && time <= within.toMs),
  });
  const most = 1 + Math.floor(random() * 40);
  const earlier = sorted(model).filter(([time]) => (modified.get(time) ?? 0) < to);
  expect({ history, to, most, found: await writtenBefore(records, nodeId, to, most) }).toEqual({
    history,
    to,
    most,
    found: earlier.toReversed().slice(0, most),
  });
  return (await countOf(nodeId, 'v')) > (await countOf(nodeId, 'p'));
}

test(`any sequence of writes reads back as a map would, with the time of each record's last write (seed ${SEED})`, async () => {
  const series = Array.from({ length: SERIES }, (_, n) => checkSeries(randomFrom(SEED + n)));
  const outcomes = await Promise.all(series);
  expect(outcomes.filter((hasRuns) => hasRuns).length).toBeGreaterThan(SERIES / 3);
});
