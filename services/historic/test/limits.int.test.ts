import type { Caller } from '@catchment/access';
// Sources have daily limits (docs/reference/writing.md#daily-limits) and windows (docs/reference/alarms.md#conditions, data).
import type { NodeConfig } from '@catchment/contracts/nodes';
import { markDeleted, saveNodes } from '@catchment/node-replica';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import { columnOf } from '@catchment/testkit/write-model';
import { DAY_MS } from '@catchment/time';
import { pgDailyRows } from '../src/limits/store/pg-daily-rows.ts';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic.close());
beforeEach(() => {
  historic.clock.now = sinceNoon;
});

const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const TO_NOON_MS = TODAY + DAY_MS / 2 - Date.now();
/** The clock runs as the real one does, from noon on: no test goes on into the next day. */
const sinceNoon = () => Date.now() + TO_NOON_MS;
const LIMIT = 20;

/** Makes a source with one parameter in an account with a limit. */
function limited(limit = LIMIT) {
  const source = historic.source();
  const level = historic.child(source, { name: 'Level', series: { seriesKey: 'level' } });
  const rain = historic.child(source, { name: 'Rain', series: { seriesKey: 'rain' } });
  historic.rowLimits.set(source.ownerId, limit);
  return { source, level, rain };
}
const from = (startMs: number, count: number, v = 1) =>
  Array.from({ length: count }, (_, n) => [startMs + n * 1_000, { v: v + n }] as const);
const timesOf = async (node: NodeConfig) => {
  await historic.idle();
  const { text } = await historic.readText(node, {
    startTime: '1800-01-01T00:00:00Z',
    endTime: '2262-01-01T00:00:00Z',
  });
  return (JSON.parse(text) as { data: { ts: string }[] }).data.map(({ ts }) => Date.parse(ts));
};
const secondsOf = async (node: NodeConfig, sinceMs = TODAY) =>
  (await timesOf(node)).map((time) => (time - sinceMs) / 1_000);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const leftOut = (node: NodeConfig) =>
  historic.applied
    .flatMap(({ acquisitions }) => acquisitions)
    .filter(({ sourceId }) => sourceId === node.sourceId)
    .map(({ rows, dropped, excluded }) => [rows, dropped, excluded]);

test('rows of one day are kept in chronological order up to the limit, over all requests', async () => {
  const { level } = limited();
  const old = Date.UTC(2020, 0, 1);
  await historic.write(level, jts(from(old, 12)));
  await historic.write(level, jts([...from(old + 12_000, 12)].reverse()));
  await historic.write(level, jts(from(old + 60_000, 2)));
  expect(await secondsOf(level, old)).toEqual(upTo(20));
  expect(leftOut(level)).toEqual([
    [12, 0, 0],
    [8, 4, 0],
    [0, 2, 0],
  ]);
});

test('each day has a limit of its own', async () => {
  const { level } = limited();
  const old = Date.UTC(2020, 0, 1);
  await historic.write(level, jts([...from(old, 25), ...from(old + DAY_MS, 25), ...from(old + 2 * DAY_MS, 3)]));
  expect(await timesOf(level)).toHaveLength(43);
});

test('a row is a timestamp of the source, however many of its parameters have a record there', async () => {
  const { source, level, rain } = limited();
  const old = Date.UTC(2020, 0, 1);
  const data = from(old, 18).map(([ts, field]) => ({ ts, f: { 0: field, 1: field } }));
  const header = { columns: { 0: { series: 'level' }, 1: { series: 'rain' } } };
  await historic.write(source, { docType: 'jts', header, data });
  await historic.write(rain, jts(from(old, 18, 5)));
  await historic.write(rain, jts(from(old + 18_000, 1)));
  expect([await secondsOf(level, old), await secondsOf(rain, old)]).toEqual([upTo(18), upTo(19)]);
});

test('rows that are there may be written again at the limit; deleted ones make room', async () => {
  const { level } = limited();
  const old = Date.UTC(2020, 0, 1);
  await historic.write(level, jts(from(old, 20)));
  await historic.idle();
  await historic.write(level, jts(from(old, 20, 50)));
  await historic.write(level, jts(from(old + 20_000, 1)));
  expect(await secondsOf(level, old)).toEqual(upTo(20));
  await historic.write(
    level,
    jts([
      [old, null],
      [old + 1_000, null],
    ]),
  );
  await historic.write(level, jts(from(old, 5)), { writeMode: 'DELETE' });
  await historic.idle();
  await historic.write(level, jts(from(old + 30_000, 7)));
  expect(await secondsOf(level, old)).toEqual([...upTo(20).slice(5), ...upTo(35).slice(30)]);
});

test.each<[string, string | undefined, Parameters<typeof jts>[0]]>([
  ['a marker', undefined, [[TODAY, null]]],
  ['a record without anything', undefined, [[TODAY, { v: null }]]],
  ['a range', 'DELETE_RANGE', [[TODAY, { v: 0 }]]],
  [
    'what replaces others',
    'INSERT_DELETE_EXISTING',
    [
      [TODAY, null],
      [TODAY + 1_000, null],
    ],
  ],
])(
  'a source whose record of today was deleted by %s is not over the limit of arrivals any more',
  async (_how, writeMode, rows) => {
    const { level } = limited();
    const days = (count: number, since: number) =>
      upTo(count).map((n) => [TODAY - (since + n) * DAY_MS, { v: n }] as const);
    await historic.write(level, jts([[TODAY, { v: 1 }]]));
    await historic.write(level, jts(days(30, 100)));
    expect(await timesOf(level)).toHaveLength(21);
    await historic.write(level, jts(rows), writeMode ? { writeMode } : {});
    await historic.write(level, jts(days(30, 200)));
    expect(await timesOf(level)).toHaveLength(50);
  },
);

test('all records deleted at once, and the source takes rows again', async () => {
  const { level } = limited();
  await historic.write(level, jts(from(TODAY, 30)));
  await historic.write(level, jts(from(TODAY, 30)));
  expect(await secondsOf(level)).toEqual(upTo(20));
  await historic.deleteHistoric(level);
  await historic.write(level, jts(from(TODAY + 60_000, 30)));
  expect(await secondsOf(level)).toEqual(upTo(80).slice(60));
});

test('rows that arrive on one day are limited too, but not those of a source without a record of today', async () => {
  const { level } = limited();
  const days = (count: number, since: number) =>
    upTo(count).map((n) => [TODAY - (since + n) * DAY_MS, { v: n }] as const);
  await historic.write(level, jts(days(30, 1)));
  expect(await timesOf(level)).toHaveLength(30);
  // There is a record of today from this one on.
  await historic.write(level, jts([[TODAY, { v: 1 }]]));
  await historic.write(level, jts(days(15, 100)));
  await historic.write(level, jts(days(15, 200)));
  expect(await timesOf(level)).toHaveLength(51);
  await historic.write(level, jts([[TODAY, null]]));
  await historic.idle();
  // Counts of a day are trusted for some seconds; a read now finds no record of today.
  const times = Float64Array.from(days(10, 300), ([time]) => time).sort();
  const { sourceId, ownerId } = level;
  let dropped: ReadonlySet<number> | undefined;
  const append = async ([over]: readonly ReadonlySet<number>[]) => {
    dropped = over;
  };
  await historic.newLimits().within([{ sourceId, ownerId, times }], append, 9_000);
  expect(dropped?.size).toBe(0);
  historic.clock.now = () => sinceNoon() + DAY_MS;
  await historic.write(level, jts(days(10, 400)));
  expect(await timesOf(level)).toHaveLength(60);
});

test('many requests at once, over replicas, keep exactly what the limit allows', async () => {
  const { level } = limited(100);
  const old = Date.UTC(2021, 0, 1);
  const { sourceId, ownerId, nodeId, workspaceId } = level;
  const other = historic.newLimits();
  const elsewhere = upTo(20).map((n) => {
    const rows = from(old + 3_600_000 + n * 10_000, 6);
    const append = ([over]: readonly ReadonlySet<number>[]) => {
      const updates = new Map(rows.filter(([time]) => !over?.has(time)));
      const column = columnOf('MERGE_OVERWRITE_EXISTING', updates, { nodeId, ownerId, workspaceId, sourceId });
      return historic.append(level, [{ kind: 'column', column }]);
    };
    const times = Float64Array.from(rows, ([time]) => time);
    return other.within([{ sourceId, ownerId, times }], append, HANGS_AFTER_MS);
  });
  await Promise.all([...elsewhere, ...upTo(20).map((n) => historic.write(level, jts(from(old + n * 10_000, 6))))]);
  expect(await timesOf(level)).toHaveLength(100);
});

test('an acquisition that begins exempt is so to its end, whichever replica takes the rest of it', async () => {
  const { source, level } = limited();
  const service: Caller = { kind: 'service', service: 'devices' };
  const { nodeId: sourceId, ownerId } = source;
  const columns = { 0: { series: 'level' } };
  const days = (count: number, since: number) => upTo(count).map((n) => TODAY - (since + n) * DAY_MS);
  const bring = (times: readonly number[], acquisitionId?: string) => {
    const data = times.map((ts) => ({ ts, f: { 0: { v: 1 } } }));
    return historic.write(source, { docType: 'jts', header: { columns }, data }, { ownerId, acquisitionId }, service);
  };
  const elsewhere = async (times: readonly number[], acquisitionId?: string) => {
    const dropped: number[] = [];
    const part = { sourceId, ownerId, times: Float64Array.from(times).sort(), acquisitionId };
    await historic.newLimits().within([part], async ([over]) => void dropped.push(over?.size ?? 0), 20_000);
    return dropped[0];
  };
  // A logger's first table brings records of today; the others follow.
  await bring([...days(15, 1), TODAY], 'first');
  await bring(days(15, 100), 'first');
  await bring(days(15, 200), 'first');
  expect(await timesOf(level)).toHaveLength(46);
  await historic.limits.flush();
  expect(await elsewhere(days(25, 300), 'first')).toBe(0);
  expect(await elsewhere(days(25, 400), 'second')).toBe(5);
  expect(await elsewhere(days(25, 500))).toBe(25);
});

test('deletes are free, and a limit of 0 is none', async () => {
  const { level } = limited();
  const old = Date.UTC(2020, 0, 1);
  await historic.write(level, jts(from(old, 20)));
  await historic.write(level, jts(from(old, 200).map(([ts]) => [ts, null] as const)));
  await historic.idle();
  expect(leftOut(level).at(-1)).toEqual([200, 0, 0]);
  historic.rowLimits.set(level.ownerId, 0);
  await historic.write(level, jts(from(old, 500)));
  expect(await timesOf(level)).toHaveLength(500);
});

test('counts come together once a second and are kept', async () => {
  const { level } = limited(10_000);
  await historic.write(level, jts(from(Date.UTC(2022, 0, 1), 30)));
  const stored = async () => {
    const { rows } = await historic.database.query<{ stored: number }>(
      'SELECT stored FROM daily_rows WHERE source_id = $1',
      [level.sourceId],
    );
    return rows;
  };
  await historic.limits.flush();
  await until(async () => (await stored())[0]?.stored === 30);
});

test('counts of days are forgotten two days after the last row: small ones, and those of deleted sources', async () => {
  const { database } = historic;
  const [kept, small, deleted, fresh] = Array.from({ length: 4 }, () => limited().source) as [
    NodeConfig,
    ...NodeConfig[],
  ];
  const all = [kept, small, deleted, fresh] as NodeConfig[];
  await saveNodes(database, all);
  await database.query(
    `INSERT INTO daily_rows (source_id, day, stored, touched_time)
     SELECT id, 1, stored, now() - age FROM unnest($1::text[], $2::int[], $3::interval[]) AS given(id, stored, age)`,
    [all.map(({ nodeId }) => nodeId), [500, 5, 500, 5], ['3 days', '3 days', '3 days', '1 day']],
  );
  await markDeleted(database, kept.ownerId, all.slice(2));
  await pgDailyRows(database).purge(100);
  const { rows } = await database.query<{ source_id: string }>(
    'SELECT source_id FROM daily_rows WHERE source_id = ANY($1)',
    [all.map(({ nodeId }) => nodeId)],
  );
  expect(rows.map(({ source_id }) => source_id).sort()).toEqual([kept.nodeId, fresh?.nodeId].sort());
});

test.each([
  ['before', { excludeBeforeSeconds: 3_600 }, [-10, 0, 100_000]],
  ['after', { excludeAfterSeconds: 3_600 }, [-100_000, -10, 0]],
  ['both', { excludeBeforeSeconds: 3_600, excludeAfterSeconds: 3_600 }, [-10, 0]],
  ['none', {}, [-100_000, -10, 0, 100_000]],
])('records outside of the window of a source are left out: %s', async (_what, source, expected) => {
  const owned = historic.source();
  await historic.nodeChanged({
    ...owned,
    revision: 2,
    source: { ...SOURCE, excludeBeforeSeconds: undefined, excludeAfterSeconds: undefined, ...source },
  });
  const level = historic.child(owned, { series: { seriesKey: 'level' } });
  const note = historic.child(owned, { series: { seriesKey: 'note', valueType: TYPES.TEXT } });
  await historic.idle();
  const now = Date.now();
  const times = [-100_000, -10, 0, 100_000].map((s) => now + s * 1_000);
  const header = { columns: { 0: { series: 'level' }, 1: { series: 'note', dataType: 'TEXT' } } };
  const data = times.map((ts, n) => ({ ts, f: { 0: { v: n }, 1: { v: `n${n}` } } }));
  await historic.write(owned, { docType: 'jts', header, data });
  expect([await secondsOf(level, now), await secondsOf(note, now)]).toEqual([expected, expected]);
  expect(leftOut(level)).toEqual([[expected.length, 0, 4 - expected.length]]);
  await historic.write(level, jts(times.map((ts) => [ts, { v: 9 }] as const)));
  await historic.write(level, jts(times.map((ts) => [ts, null] as const)));
  expect(await timesOf(level)).toEqual([]);
});

const SOURCE = {
  isEnabled: true,
  timezone: 'Etc/UTC',
  timezoneAdjustForDst: false,
  scheduleType: 'NONE',
  transportClass: 'None',
  deviceKey: '',
  writeMode: 'MERGE_OVERWRITE_EXISTING',
  quietMaxSeconds: 86_400,
  followers: [],
  lineSeries: '',
  program: undefined,
  intervalSeconds: 3_600,
  intervalOffsetSeconds: 0,
  retryAttempts: 3,
  retryDelaySeconds: 900,
};

test('outputs of ratings know the storage limit only', async () => {
  const { level, source } = limited();
  const old = Date.UTC(2020, 0, 1);
  await historic.write(level, jts(from(old, 18)));
  await historic.idle();
  historic.rowLimits.set(source.ownerId, 10);
  const times = Float64Array.from(from(old + DAY_MS, 12), ([time]) => time);
  const { nodeId: sourceId, ownerId } = source;
  const computed = { sourceId, ownerId, times, isUnlimitedByArrival: true };
  let dropped: readonly number[] = [];
  await historic.limits.within(
    [computed],
    async ([over]) => {
      dropped = [...(over ?? [])];
    },
    5_000,
  );
  expect(dropped).toEqual([old + DAY_MS + 10_000, old + DAY_MS + 11_000]);
});

test('what is reported to be wrong with a file is in the log in order with writes; only services report', async () => {
  const { source: own } = limited();
  const service: Caller = { kind: 'service', service: 'devices' };
  const { ownerId } = own;
  const columns = { 0: { series: 'level', name: 'Level', dataType: 'NUMBER' } };
  const body = {
    docType: 'jts',
    version: '1.0',
    header: { columns },
    data: [{ ts: '2024-01-01', f: { 0: { v: 1 } } }],
  };
  await historic.write(own, body, { ownerId }, service);
  await historic.tellFault(own, 'a.csv: parsed 40%, 90% required', service);
  await historic.write(own, body, { ownerId, continues: true }, service);
  await expect(historic.tellFault(own, 'x', caller(ownerId))).rejects.toMatchObject({ kind: 'permission_denied' });
  await historic.idle();
  const reported = historic.applied
    .flatMap(({ acquisitions }) => acquisitions)
    .filter((acquisition) => acquisition.sourceId === own.nodeId);
  expect(reported.map(({ fault, continues, rows }) => [fault, continues, rows])).toEqual([
    ['', false, 1],
    ['a.csv: parsed 40%, 90% required', false, 0],
    ['', true, 1],
  ]);
});

test('rows near their limit are appended once, whatever becomes of their count', async () => {
  const { level } = limited();
  const old = Date.UTC(2021, 0, 1);
  await historic.write(level, jts(from(old, 15)));
  // PostgreSQL ends the second count from here on, which comes after the rows are in the log.
  await historic.database.query('CREATE SEQUENCE countings');
  await historic.database.query(
    `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('countings') = 2 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; RETURN NULL;
     END $$`,
  );
  await historic.database.query(
    'CREATE TRIGGER fail_once BEFORE INSERT ON daily_rows FOR EACH STATEMENT EXECUTE FUNCTION fail_once()',
  );
  try {
    await historic.write(level, jts(from(old + 15_000, 2)));
  } finally {
    await historic.database.query('DROP TRIGGER fail_once ON daily_rows');
  }
  await historic.idle();
  expect(leftOut(level)).toEqual([
    [15, 0, 0],
    [2, 0, 0],
  ]);
  // Rows that could not be counted then are counted by now: three more fit, the fourth does not.
  await historic.write(level, jts(from(old + 17_000, 4)));
  expect(await secondsOf(level, old)).toEqual(upTo(20));
});
