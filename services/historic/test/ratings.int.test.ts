import { EventRecorded } from '@catchment/contracts/events';
import { NotifyOn } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { type Rating, type RatingEntry, RatingSettled, SeriesRecomputed } from '@catchment/contracts/ratings';
import { transformOf, UNTRANSFORMED } from '@catchment/equation';
import { newObjectId } from '@catchment/ids';
import { decodeBatch } from '@catchment/ingest-log';
import { until } from '@catchment/testkit';
import { randomFrom, SEED } from '@catchment/testkit/write-model';
import { rate } from '../src/domain/rating.ts';
import { type Historic, jts, startHistoric } from './fixture.ts';
import { seriesNode } from './series.ts';

let historic: Historic;
const events: EventRecorded[] = [];
const settled: RatingSettled[] = [];
const recomputed: SeriesRecomputed[] = [];
beforeAll(async () => {
  historic = await startHistoric();
  historic.bus.watch(
    'events.event.recorded.v1',
    (data) => events.push(EventRecorded.decode(data)),
    () => {},
  );
  historic.bus.watch(
    'historic.rating.settled.v1',
    (data) => settled.push(RatingSettled.decode(data)),
    () => {},
  );
  historic.bus.watch(
    'historic.series.recomputed.v1',
    (data) => recomputed.push(SeriesRecomputed.decode(data)),
    () => {},
  );
});
afterAll(() => historic.close());

const table = (startMs: number, ...rows: (readonly [number, number])[]): RatingEntry => ({
  startMs,
  kind: { $case: 'table', value: { inputs: rows.map(([x]) => x), results: rows.map(([, r]) => r) } },
});
const polynomial = (startMs: number, ...coefficients: number[]): RatingEntry => ({
  startMs,
  kind: { $case: 'polynomial', value: { coefficients } },
});
const EXAMPLE = table(0, [0.1, 9.8], [0.5, 40], [1.2, 120]);
const DOUBLE = polynomial(0, 0, 2);

let revision = 1;
/** Tells the rating of a node as the nodes service would; none takes it away. */
async function rateBy(node: NodeConfig, input: NodeConfig, ...entries: RatingEntry[]): Promise<Rating> {
  return rateSince(undefined, node, input, ...entries);
}
/** @param sinceMs when the rating was made */
async function rateSince(
  sinceMs: number | undefined,
  node: NodeConfig,
  input: NodeConfig,
  ...entries: RatingEntry[]
): Promise<Rating> {
  const rating: Rating = { inputNodeId: input.nodeId, digest: newObjectId(), entries };
  historic.nodes.ratings.set(node.nodeId, rating);
  const { inputNodeId, digest } = rating;
  const series = node.series && { ...node.series, writable: false, rating: { inputNodeId, digest } };
  revision += 1;
  await historic.nodeChanged({ ...node, revision, series }, sinceMs);
  return rating;
}

/** A rating of an input, both new; the rating lives in a source of its own. */
async function rated(...entries: RatingEntry[]) {
  const input = historic.parameter();
  const output = await ratingOf(input, ...entries);
  return { input, output };
}

/** Failures of a rating's runs as published for alarms; '' = it succeeds again. */
const failuresOf = (output: NodeConfig): string[] =>
  settled.flatMap(({ nodeId, failure }) => (nodeId === output.nodeId ? [failure] : []));

async function ratingOf(input: NodeConfig, ...entries: RatingEntry[]): Promise<NodeConfig> {
  const { ownerId, workspaceId } = input;
  const output = seriesNode({ ownerId, workspaceId, class: 'point.NumberRatingPoint', name: 'Flow' });
  await rateBy(output, input, ...entries);
  await historic.rated();
  return output;
}

type Cell = { v?: number; q?: number; a?: string };
async function recordsOf(node: NodeConfig): Promise<(readonly [number, Cell])[]> {
  const { text } = await historic.readText(node, {
    startTime: '1800-01-01T00:00:00Z',
    endTime: '2262-01-01T00:00:00Z',
  });
  const { data } = JSON.parse(text) as { data: { ts: string; f: Record<string, Cell> }[] };
  return data.map(({ ts, f }) => [Date.parse(ts), f[0] ?? {}] as const);
}
const valuesOf = async (node: NodeConfig) => (await recordsOf(node)).map(([time, { v, q }]) => [time, v, q]);

test('the example in docs/reference/processing-and-ratings.md#ratings, as it is written', async () => {
  const { input, output } = await rated(EXAMPLE);
  const rows = [0.1, 0.3, 1.2, 0.05].map((v, n) => [n * 1_000, { v, q: 7 }] as const);
  await historic.write(input, jts(rows));
  await historic.rated();
  expect(await valuesOf(output)).toEqual([
    [0, 9.8, 7],
    [1_000, expect.closeTo(24.9, 12), 7],
    [2_000, 120, 7],
    [3_000, undefined, 155],
  ]);
});

test('every insert, change and delete of an input record updates the same timestamp', async () => {
  const { input, output } = await rated(DOUBLE);
  const write = async (rows: Parameters<typeof jts>[0], writeMode = '') => {
    await historic.write(input, jts(rows), { writeMode });
    await historic.rated();
    return valuesOf(output);
  };
  expect(await write([1, 2, 3, 4, 5].map((time) => [time, { v: time }] as const))).toHaveLength(5);
  expect(await write([[3, { v: 30, q: 9 }]])).toContainEqual([3, 60, 9]);
  expect(await write([[3, { q: 8 }]], 'MERGE_UPDATE_EXISTING')).toContainEqual([3, 60, 8]);
  expect(
    await write(
      [
        [1, { v: 9 }],
        [6, { v: 6 }],
      ],
      'MERGE_PRESERVE_EXISTING',
    ),
  ).toContainEqual([1, 2, undefined]);
  expect(await write([[2, null]])).not.toContainEqual([2, 4, undefined]);
  expect(await write([[4, { v: null, q: 158 }]])).toContainEqual([4, undefined, 158]);
  expect(await write([[5, { a: 'only a note' }]])).not.toContainEqual(expect.arrayContaining([5]));
  expect(
    await write(
      [
        [3, { v: 1 }],
        [6, { v: 2 }],
      ],
      'INSERT_DELETE_EXISTING',
    ),
  ).toEqual([
    [1, 2, undefined],
    [3, 2, undefined],
    [6, 4, undefined],
  ]);
  expect(
    await write(
      [
        [2, null],
        [3, null],
      ],
      'DELETE_RANGE',
    ),
  ).toEqual([
    [1, 2, undefined],
    [6, 4, undefined],
  ]);
  await historic.deleteHistoric(input);
  await historic.rated();
  expect(await valuesOf(output)).toEqual([]);
});

test('each rating holds from its startTime to the next; before the first there is no record', async () => {
  const { input, output } = await rated(polynomial(100, 1), polynomial(200, 2));
  await historic.write(input, jts([99, 100, 199, 200, 5_000].map((time) => [time, { v: 1 }] as const)));
  await historic.rated();
  expect((await valuesOf(output)).map(([time, v]) => [time, v])).toEqual([
    [100, 1],
    [199, 1],
    [200, 2],
    [5_000, 2],
  ]);
});

test('ratings of ratings follow, whichever way round they were made; deleting at the top empties all', async () => {
  const { input, output } = await rated(DOUBLE);
  const second = await ratingOf(output, polynomial(0, 1, 1));
  const third = await ratingOf(second, DOUBLE);
  await historic.write(input, jts([[10, { v: 5 }]]));
  await historic.rated();
  expect(await Promise.all([output, second, third].map(valuesOf))).toEqual([
    [[10, 10, undefined]],
    [[10, 11, undefined]],
    [[10, 22, undefined]],
  ]);
  await rateBy(output, input, polynomial(0, 100));
  await historic.rated();
  expect(await valuesOf(third)).toEqual([[10, 202, undefined]]);
  await historic.deleteHistoric(input);
  await historic.rated();
  expect(await valuesOf(third)).toEqual([]);
});

test('another rating, and another transform of the input, recompute all; none empties', async () => {
  const { input, output } = await rated(DOUBLE);
  await historic.write(input, jts([1, 2, 3].map((time) => [time, { v: time }] as const)));
  await historic.rated();
  const values = async () => (await valuesOf(output)).map(([, v]) => v);
  await rateBy(output, input, polynomial(0, 0, 10));
  await historic.rated();
  expect(await values()).toEqual([10, 20, 30]);
  revision += 1;
  await historic.nodeChanged({
    ...input,
    revision,
    series: input.series && { ...input.series, multiplier: 2, offset: 1 },
  });
  await historic.rated();
  expect(await values()).toEqual([30, 50, 70]);
  revision += 1;
  await historic.nodeChanged({ ...output, revision });
  await historic.rated();
  expect(await values()).toEqual([]);
});

test('a recomputation tells nobody but says when it is done; changes of inputs notify unless they were silent', async () => {
  const { input, output } = await rated(DOUBLE);
  await historic.write(input, jts([[1, { v: 1 }]]), { notifyOn: 'NONE' });
  await historic.rated();
  await historic.write(input, jts([[2, { v: 2 }]]));
  await historic.rated();
  await rateBy(output, input, polynomial(0, 7));
  await historic.rated();
  const entries = historic.messages.flatMap(({ data }) => decodeBatch(data));
  const told = entries.flatMap((entry): (boolean | NotifyOn)[] => {
    if (entry.kind === 'seriesDelete' && entry.seriesDelete.nodeId === output.nodeId)
      return [entry.seriesDelete.recomputing];
    return entry.kind === 'column' && entry.column.nodeId === output.nodeId ? [entry.column.notifyOn] : [];
  });
  const { NOTIFY_ON_NONE: none, NOTIFY_ON_ALL_NEWER: all } = NotifyOn;
  expect(told).toEqual([true, none, all, true, none]);
  const mine = () =>
    events.filter(({ nodeId }) => nodeId === output.nodeId).map(({ level, message }) => [level, message]);
  await until(() => mine().length === 2);
  expect(mine()).toEqual([
    ['INFO', 'Rating recomputed from 0 records'],
    ['INFO', 'Rating recomputed from 2 records'],
  ]);
});

/** Entries of a series in the log: `<time> <notifyOn>`. */
const cameBy = (node: NodeConfig) =>
  historic.messages
    .flatMap(({ data }) => decodeBatch(data))
    .flatMap((entry) => (entry.kind === 'column' && entry.column.nodeId === node.nodeId ? [entry.column] : []))
    .flatMap(({ timestamps, notifyOn }) => [...timestamps].map((time) => `${time} ${NAMES.get(notifyOn)}`));
const NAMES = new Map<NotifyOn, string>([
  [NotifyOn.NOTIFY_ON_NONE, 'silent'],
  [NotifyOn.NOTIFY_ON_ALL_NEWER, 'told'],
]);

test('input that came after the rating was made is news, before it is known here too; late records are not', async () => {
  const input = historic.parameter();
  const { ownerId, workspaceId } = input;
  const output = seriesNode({ ownerId, workspaceId, class: 'point.NumberRatingPoint' });
  const write = async (...times: number[]) => {
    await historic.write(input, jts(times.map((time) => [time, { v: time }] as const)));
    await historic.idle();
  };
  await write(10, 20);
  const sinceMs = Date.now() + 1;
  await until(() => Date.now() >= sinceMs);
  await write(15, 25, 30);
  await historic.stopRatings();
  await rateSince(sinceMs, output, input, DOUBLE);
  await historic.idle();
  await write(5, 40);
  historic.startRatings();
  await historic.rated();
  expect([...new Set(cameBy(output))].sort()).toEqual([
    ...['10 silent', '15 silent', '20 silent', '25 told', '30 told', '40 told', '5 silent'],
  ]);
});

test('a rating whose input is gone says so, keeps nothing, and works again with another one', async () => {
  const gone = seriesNode();
  const output = await ratingOf(gone, DOUBLE);
  await until(() => failuresOf(output).length > 0);
  const input = historic.parameter({}, { ownerId: gone.ownerId });
  await historic.write(input, jts([[1, { v: 4 }]]));
  await rateBy(output, input, DOUBLE);
  await historic.rated();
  expect(await valuesOf(output)).toEqual([[1, 8, undefined]]);
  await rateBy(output, input, DOUBLE, polynomial(5, 1));
  await historic.rated();
  const done = () => events.filter(({ nodeId, level }) => nodeId === output.nodeId && level === 'INFO').length;
  await until(() => done() >= 2);
  expect(failuresOf(output)).toEqual(['the input does not exist', '']);
});

test('a rating that fails and is taken away has nothing left to fail', async () => {
  const output = await ratingOf(seriesNode(), DOUBLE);
  await until(() => failuresOf(output).length > 0);
  historic.nodes.ratings.delete(output.nodeId);
  revision += 1;
  await historic.nodeChanged({ ...output, revision });
  await until(() => failuresOf(output).length > 1);
  expect(failuresOf(output)).toEqual(['the input does not exist', '']);
});

test('an equation of the input, and each change of it, has everything computed again', async () => {
  const { input, output } = await rated(DOUBLE);
  await historic.write(
    input,
    jts([
      [1, { v: 4, q: 9 }],
      [2, { v: -4, q: 9 }],
      [3, { v: 16 }],
      [4, { v: -16 }],
    ]),
  );
  await historic.rated();
  const transformed = async (transform: { multiplier?: number; equation?: string }) => {
    revision += 1;
    const series = input.series && { ...input.series, ...transform };
    await historic.nodeChanged({ ...input, revision, series });
    await historic.rated();
    return valuesOf(output);
  };
  const rooted = [
    [1, 4, 9],
    [2, undefined, 9],
    [3, 8, undefined],
  ];
  expect(await transformed({ equation: 'sqrt(x)' })).toEqual(rooted);
  const before = recomputed.length;
  // The multiplier takes no effect: nothing is computed anew.
  expect(await transformed({ equation: 'sqrt(x)', multiplier: 10 })).toEqual(rooted);
  expect(recomputed).toHaveLength(before);
  expect(await transformed({ equation: 'x^2' })).toContainEqual([4, 512, undefined]);
  expect(await transformed({ equation: '', multiplier: 10 })).toContainEqual([4, -320, undefined]);
});

test('a recomputation is told when all of its results can be read; single results are not', async () => {
  const input = historic.parameter();
  const rows = Array.from({ length: 25_000 }, (_, n) => [n * 1_000, { v: n }] as const);
  await historic.write(input, jts(rows));
  // What the store does not have yet is computed as a change, which is not told.
  await historic.idle();
  const { ownerId, workspaceId } = input;
  const output = seriesNode({ ownerId, workspaceId, class: 'point.NumberRatingPoint' });
  const tellings = () => recomputed.filter(({ nodeId }) => nodeId === output.nodeId);
  const told = (times: number) => until(() => tellings().length === times);
  await rateBy(output, input, DOUBLE);
  await told(1);
  expect(await recordsOf(output)).toHaveLength(rows.length);
  // All were there before the rating.
  const newsFromMs = (rows.length - 1) * 1_000 + 1;
  expect(tellings()).toEqual([{ nodeId: output.nodeId, ownerId, timeMs: expect.any(Number), newsFromMs }]);
  await historic.write(input, jts([[1, { v: 1 }]]));
  await historic.rated();
  expect(tellings()).toHaveLength(1);
  historic.nodes.ratings.delete(output.nodeId);
  revision += 1;
  await historic.nodeChanged({ ...output, revision });
  await told(2);
  expect(await recordsOf(output)).toEqual([]);
});

test('a recomputation goes on where a process that died left it, while new records come', async () => {
  const input = historic.parameter();
  const count = 30_000;
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => [(from + n) * 1_000, { v: from + n }] as const);
  await historic.write(input, jts(rows(0, count)));
  await historic.idle();
  await historic.stopRatings();
  const { ownerId, workspaceId } = input;
  const output = seriesNode({ ownerId, workspaceId, class: 'point.NumberRatingPoint' });
  await rateBy(output, input, DOUBLE);
  await historic.idle();
  historic.startRatings();
  const position = async () => {
    const { rows: found } = await historic.database.query<{ done_records: number; phase: string | null }>(
      'SELECT done_records, phase FROM ratings WHERE node_id = $1',
      [output.nodeId],
    );
    return found[0];
  };
  await until(async () => ((await position())?.done_records ?? 0) > 0);
  await historic.stopRatings();
  await historic.write(
    input,
    jts([
      [500, { v: 0.5 }],
      [count * 1_000, { v: count }],
    ]),
  );
  await historic.idle();
  historic.startRatings();
  await historic.rated();
  const found = await valuesOf(output);
  const expected = [...rows(0, count + 1).map(([time, { v }]) => [time, 2 * v, undefined]), [500, 1, undefined]];
  expect(found).toEqual(expected.sort(([a], [b]) => Number(a) - Number(b)));
});

test(`any sequence of writes leaves each output as its input says (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const { input, output } = await rated(EXAMPLE, polynomial(30, 0, 0, 1));
  const rating = historic.nodes.ratings.get(output.nodeId);
  const modes = [
    '',
    'MERGE_UPDATE_EXISTING',
    'INSERT_DELETE_EXISTING',
    'DELETE',
    'DELETE_RANGE',
    'MERGE_PRESERVE_EXISTING',
  ];
  for (let round = 0; round < 8; round += 1) {
    const writes = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      const times = [
        ...new Set(Array.from({ length: 1 + Math.floor(random() * 6) }, () => Math.floor(random() * 60) - 5)),
      ];
      const field = () =>
        pick([{ v: random() * 1.5 }, { v: random(), q: 9 }, { q: 158 }, { v: null }, { a: 'x' }, null]);
      return { rows: times.map((time) => [time, field()] as const), writeMode: pick(modes) };
    });
    // Some of them overtake the evaluation of others.
    for (const { rows, writeMode } of writes) await historic.write(input, jts(rows), { writeMode });
    await historic.rated();
    const expected = (await recordsOf(input)).flatMap(([timeMs, { v, q }]) => {
      const result = rating && rate(rating, transformOf(UNTRANSFORMED), { timeMs, number: v, quality: q });
      return result ? [[timeMs, result.value, result.quality]] : [];
    });
    expect(await valuesOf(output)).toEqual(expected);
  }
});

test('a rating keeps what it has when its input is deleted, and says so once', async () => {
  const { input, output } = await rated(DOUBLE);
  await historic.write(input, jts([[1, { v: 4 }]]));
  await historic.rated();
  await historic.nodesDeleted(input);
  await historic.nodesDeleted(input);
  await historic.rated();
  await until(() => failuresOf(output).length > 0);
  expect(failuresOf(output)).toEqual(['the input was deleted']);
  expect(await valuesOf(output)).toEqual([[1, 8, undefined]]);
});

test('what is gone is forgotten', async () => {
  const { input, output } = await rated(DOUBLE);
  await historic.nodesDeleted(output);
  await historic.idle();
  await historic.write(input, jts([[1, { v: 4 }]]));
  await historic.idle();
  const { rows } = await historic.database.query(
    'SELECT 1 FROM ratings WHERE node_id = $1 UNION ALL SELECT 1 FROM rating_marks WHERE node_id = $1',
    [output.nodeId],
  );
  expect(rows).toEqual([]);
});
