import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Rating, RatingEntry } from '@catchment/contracts/ratings';
import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { randomFrom, SEED } from '@catchment/testkit/write-model';
import { rate } from '../src/domain/rating.ts';
import { touchesOf } from './fake-historic.ts';
import { type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());
beforeEach(() => {
  service.clock.now = undefined;
  service.historic.onWrite = () => {};
  service.historic.newestBefore = () => undefined;
});

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

type Given = readonly [timeMs: number, value: number | null, quality?: number];
const parameter = (of: Service = service, ownerId = newObjectId()) => {
  const workspace = of.peers.make('Workspace', { ownerId });
  return of.peers.make('point.NumberPoint', { parent: of.peers.make('source.data.Jts', { parent: workspace }) });
};
const write = (node: NodeConfig, ...records: Given[]) => service.write(node.nodeId, records);
const valuesOf = (node: NodeConfig) =>
  [...service.historic.of(node.nodeId)]
    .sort(([a], [b]) => a - b)
    .map(([timeMs, { value, quality }]) => [timeMs, value, quality]);

/** Keeps a rating of the node, as the nodes service has it from now on. */
function keepRating(of: Service, node: NodeConfig, inputNodeId: string, entries: RatingEntry[]): NodeConfig {
  const rating: Rating = { inputNodeId, digest: newObjectId(), entries };
  of.peers.ratings.set(node.nodeId, rating);
  return of.peers.keep({ ...node, series: { ...node.series, writable: false, rating } as never });
}
const rateBy = async (node: NodeConfig, input: NodeConfig, ...entries: RatingEntry[]) =>
  service.save(keepRating(service, node, input.nodeId, entries));

/** Makes a rating parameter without a rating, in a new source beside the input. */
const ratable = (input: NodeConfig, of: Service = service) => {
  const workspace = of.peers.all.get(input.workspaceId);
  if (!workspace) throw new Error('no workspace');
  return of.peers.make('point.NumberRatingPoint', { parent: of.peers.make('source.data.Jts', { parent: workspace }) });
};
async function ratingOf(input: NodeConfig, ...entries: RatingEntry[]): Promise<NodeConfig> {
  const node = ratable(input);
  await rateBy(node, input, ...entries);
  return node;
}
async function rated(...entries: RatingEntry[]) {
  const input = parameter();
  return { input, output: await ratingOf(input, ...entries) };
}
const announcements = (node: NodeConfig) => service.recomputed.filter(({ nodeId }) => nodeId === node.nodeId);
const infos = (node: NodeConfig) => service.messages(node).filter((message) => message.startsWith('Rating recomputed'));
const announcementsOf = (node: NodeConfig) =>
  service.historic.written
    .filter(({ nodeId }) => nodeId === node.nodeId)
    .map(({ timeMs, isAnnounced }) => `${timeMs} ${isAnnounced ? 'announced' : 'silent'}`);
/** Configures another transform of an input. */
const transformed = async (input: NodeConfig, change: { multiplier?: number; equation?: string }) => {
  const known = service.peers.all.get(input.nodeId) ?? input;
  await service.save(service.peers.keep({ ...known, series: { ...known.series, ...change } as never }));
};

test('the example in docs/reference/processing-and-ratings.md#ratings, as it is written', async () => {
  const { input, output } = await rated(EXAMPLE);
  await write(input, [0, 0.1, 7], [1_000, 0.3, 7], [2_000, 1.2, 7], [3_000, 0.05, 7]);
  expect(valuesOf(output)).toEqual([
    [0, 9.8, 7],
    [1_000, expect.closeTo(24.9, 12), 7],
    [2_000, 120, 7],
    [3_000, undefined, 155],
  ]);
});

test('every insert, change and delete of an input record updates the same timestamp', async () => {
  const { input, output } = await rated(DOUBLE);
  await write(input, ...[1, 2, 3, 4, 5, 6].map((time): Given => [time, time]));
  await write(input, [3, 30, 9]);
  expect(valuesOf(output)).toContainEqual([3, 60, 9]);
  await write(input, [2, null]);
  expect(valuesOf(output).map(([time]) => time)).not.toContain(2);
  await write(input, [4, null, 158]);
  expect(valuesOf(output)).toContainEqual([4, undefined, 158]);
  // A range is replaced, or removed, as a whole.
  for (const time of [3, 4, 5]) service.historic.of(input.nodeId).delete(time);
  service.historic.put(input.nodeId, [[4, 1]]);
  await service.touched(new Map([[input.nodeId, [{ fromMs: 3, toMs: 5, clears: true, silent: false }]]]));
  await service.idle();
  expect(valuesOf(output)).toEqual([
    [1, 2, undefined],
    [4, 2, undefined],
    [6, 12, undefined],
  ]);
  await service.deleteHistory(input);
  expect(valuesOf(output)).toEqual([]);
});

test('each rating holds from its startTime to the next; before the first there is no record', async () => {
  const { input, output } = await rated(polynomial(100, 1), polynomial(200, 2));
  await write(input, ...[99, 100, 199, 200, 5_000].map((time): Given => [time, 1]));
  expect(valuesOf(output).map(([time, v]) => [time, v])).toEqual([
    [100, 1],
    [199, 1],
    [200, 2],
    [5_000, 2],
  ]);
});

test('an hour that comes twice, or never, in a zone of the source is like any other; gaps stay gaps', async () => {
  const { input, output } = await rated(DOUBLE);
  const [spring, autumn] = [Date.UTC(2024, 2, 31), Date.UTC(2024, 9, 27)];
  const times = [spring, autumn].flatMap((day) => [0, 0.5, 1, 1.5, 2, 5].map((hour) => day + hour * 3_600_000));
  await write(input, ...times.map((time, n): Given => [time, n]));
  expect(valuesOf(output)).toEqual(times.map((time, n) => [time, 2 * n, undefined]));
});

test('ratings of ratings follow, whichever way round they were made; deleting at the top empties all', async () => {
  const { input, output } = await rated(DOUBLE);
  const second = await ratingOf(output, polynomial(0, 1, 1));
  const third = await ratingOf(second, DOUBLE);
  await write(input, [10, 5]);
  expect([output, second, third].map(valuesOf)).toEqual([
    [[10, 10, undefined]],
    [[10, 11, undefined]],
    [[10, 22, undefined]],
  ]);
  await rateBy(output, input, polynomial(0, 100));
  expect(valuesOf(third)).toEqual([[10, 202, undefined]]);
  await service.deleteHistory(input);
  expect(valuesOf(third)).toEqual([]);
});

test('another rating, and another transform of the input, recompute all; none empties', async () => {
  const { input, output } = await rated(DOUBLE);
  await write(input, [1, 1], [2, 2], [3, 3]);
  const values = () => valuesOf(output).map(([, v]) => v);
  await rateBy(output, input, polynomial(0, 0, 10));
  expect(values()).toEqual([10, 20, 30]);
  await transformed(input, { multiplier: 2 });
  expect(values()).toEqual([20, 40, 60]);
  const before = announcements(output).length;
  // The multiplier takes no effect with an equation: nothing is computed anew.
  await transformed(input, { multiplier: 2, equation: 'x' });
  await transformed(input, { multiplier: 3, equation: 'x' });
  expect(announcements(output)).toHaveLength(before + 1);
  service.peers.ratings.delete(output.nodeId);
  await service.save(service.peers.keep({ ...output, series: { ...output.series, rating: undefined } as never }));
  expect(values()).toEqual([]);
});

test('a recomputation notifies nobody but says when it is done; changes of inputs notify unless they were silent', async () => {
  const { input, output } = await rated(DOUBLE);
  service.historic.put(input.nodeId, [[1, 1]]);
  await service.touched(new Map([[input.nodeId, touchesOf([1], true)]]));
  await service.idle();
  await write(input, [2, 2]);
  service.historic.newestBefore = () => 2;
  await rateBy(output, input, polynomial(0, 7));
  expect(announcementsOf(output)).toEqual(['1 silent', '2 announced', '1 silent', '2 silent']);
  expect(infos(output)).toEqual(['Rating recomputed from 0 records', 'Rating recomputed from 2 records']);
});

test('input that came after the rating was made is news, before it is known here too; late records are not', async () => {
  const input = parameter();
  service.historic.put(
    input.nodeId,
    [10, 15, 20, 25, 30].map((time): [number, number] => [time, time]),
  );
  service.historic.newestBefore = () => 20;
  const output = await ratingOf(input, DOUBLE);
  await write(input, [40, 40]);
  expect(announcementsOf(output)).toEqual([
    '10 silent',
    '15 silent',
    '20 silent',
    '25 announced',
    '30 announced',
    '40 announced',
  ]);
});

test('a rating whose input is gone says so, keeps nothing, and works again with another one', async () => {
  const output = ratable(parameter());
  service.historic.put(output.nodeId, [[1, 1]]);
  await rateBy(output, { nodeId: newObjectId() } as NodeConfig, DOUBLE);
  expect([service.announced(output), valuesOf(output)]).toEqual([['the input does not exist'], []]);
  const input = parameter(service, output.ownerId);
  service.historic.put(input.nodeId, [[1, 4]]);
  await rateBy(output, input, DOUBLE);
  expect(valuesOf(output)).toEqual([[1, 8, undefined]]);
  expect(service.announced(output)).toEqual(['the input does not exist', '']);
});

test('a rating that fails and is taken away has nothing left to fail', async () => {
  const output = ratable(parameter());
  await rateBy(output, { nodeId: newObjectId() } as NodeConfig, DOUBLE);
  service.peers.ratings.delete(output.nodeId);
  await service.save(service.peers.keep(output));
  expect(service.announced(output)).toEqual(['the input does not exist', '']);
});

test('a rating keeps what it has when its input is deleted, and says so once', async () => {
  const { input, output } = await rated(DOUBLE);
  await write(input, [1, 4]);
  await service.remove(input);
  await service.remove(input);
  await service.save(service.peers.keep({ ...(service.peers.all.get(output.nodeId) ?? output), name: 'Renamed' }));
  expect(service.announced(output)).toEqual(['the input was deleted']);
  expect(valuesOf(output)).toEqual([[1, 8, undefined]]);
});

test('what is gone is forgotten', async () => {
  const { input, output } = await rated(DOUBLE);
  await service.remove(output);
  await write(input, [1, 4]);
  const { rows } = await service.database.query(
    'SELECT 1 FROM ratings WHERE node_id = $1 UNION ALL SELECT 1 FROM rating_marks WHERE node_id = $1',
    [output.nodeId],
  );
  expect(rows).toEqual([]);
});

test('a recomputation is reported when all of it can be read, in pages; single results are not', async () => {
  const input = parameter();
  const rows = Array.from({ length: 25_000 }, (_, n): [number, number] => [n * 1_000, n]);
  service.historic.put(input.nodeId, rows);
  service.historic.newestBefore = () => rows.at(-1)?.[0];
  const output = await ratingOf(input, DOUBLE);
  expect(valuesOf(output)).toHaveLength(rows.length);
  const { nodeId, ownerId } = output;
  // All were there before the rating.
  const newsFromMs = (rows.length - 1) * 1_000 + 1;
  expect(announcements(output)).toEqual([{ nodeId, ownerId, timeMs: expect.any(Number), newsFromMs }]);
  await write(input, [1, 1]);
  expect(announcements(output)).toHaveLength(1);
});

test('a step that dies between the log and its position is repeated: nothing is lost, nothing is twice', async () => {
  const { input, output } = await rated(DOUBLE);
  let kills = 0;
  service.historic.onWrite = (phase) => {
    kills += 1;
    if (phase === 'after' && kills === 2) throw new Error('killed');
  };
  service.historic.put(input.nodeId, [[5, 5]]);
  await service.touched(new Map([[input.nodeId, touchesOf([5], false)]]));
  const written = () => service.historic.written.filter(({ nodeId }) => nodeId === output.nodeId).length;
  // It is put off, and others might go first.
  await until(async () => {
    await service.database.query(`UPDATE ratings SET retry_time = '-infinity' WHERE node_id = $1`, [output.nodeId]);
    return written() > 1;
  });
  await service.idle();
  expect(valuesOf(output)).toEqual([[5, 10, undefined]]);
});

test('a curve that changes while the old one is computed: the new one has all', async () => {
  const input = parameter();
  service.historic.put(
    input.nodeId,
    Array.from({ length: 25_000 }, (_, n): [number, number] => [n, 1]),
  );
  const output = ratable(input);
  const pages = () => service.historic.written.filter(({ nodeId }) => nodeId === output.nodeId).length;
  await service.changed(keepRating(service, output, input.nodeId, [polynomial(0, 1)]));
  await until(() => pages() > 0);
  await rateBy(output, input, polynomial(0, 2));
  expect(new Set(valuesOf(output).map(([, v]) => v))).toEqual(new Set([2]));
  expect(valuesOf(output)).toHaveLength(25_000);
});

test('a recomputation goes on where a process that died left it, while new records come', async () => {
  const input = parameter();
  const count = 30_000;
  service.historic.put(
    input.nodeId,
    Array.from({ length: count }, (_, n): [number, number] => [n * 1_000, n]),
  );
  const output = ratable(input);
  const pages = () => service.historic.written.filter(({ nodeId }) => nodeId === output.nodeId).length;
  await service.changed(keepRating(service, output, input.nodeId, [DOUBLE]));
  await until(() => pages() > 0);
  await service.restart();
  await write(input, [500, 0.5], [count * 1_000, count]);
  const expected = [...Array.from({ length: count + 1 }, (_, n) => [n * 1_000, 2 * n, undefined]), [500, 1, undefined]];
  expect(valuesOf(output)).toEqual(expected.sort(([a], [b]) => Number(a) - Number(b)));
});

test('hundreds of ratings of an account do not hold up the one of another', async () => {
  const [busy, calm] = [parameter(), parameter()];
  const many = Array.from({ length: 200 }, () => keepRating(service, ratable(busy), busy.nodeId, [DOUBLE]));
  const rating = keepRating(service, ratable(calm), calm.nodeId, [DOUBLE]);
  await service.save(...many, rating);
  service.historic.put(busy.nodeId, [[1, 1]]);
  service.historic.put(calm.nodeId, [[1, 1]]);
  const before = service.historic.written.length;
  await service.touched(new Map([busy, calm].map(({ nodeId }) => [nodeId, touchesOf([1], false)])));
  await service.idle();
  const order = service.historic.written.slice(before).map(({ nodeId }) => nodeId);
  expect(new Set(order).size).toBe(201);
  expect(order.indexOf(rating.nodeId)).toBeLessThan(20);
});

test('a program reads a rating, and a rating reads the program', async () => {
  const { input, output } = await rated(DOUBLE);
  const source = service.peers.all.get(output.sourceId);
  if (!source) throw new Error('no source');
  const process = { code: `return NUMBER('{${output.nodeId}}').currentValue + 1` };
  const program = service.peers.make('point.NumberProcessPoint', { parent: source, process });
  await service.save(program);
  const last = await ratingOf(program, polynomial(0, 0, 10));
  await write(input, [1, 4], [2, 5]);
  expect(valuesOf(last).map(([, v]) => v)).toEqual([90, 110]);
});

test(`any sequence of writes leaves each output as its input says (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const { input, output } = await rated(EXAMPLE, polynomial(30, 0, 0, 1));
  const entries = service.peers.ratings.get(output.nodeId)?.entries ?? [];
  for (let round = 0; round < 8; round += 1) {
    // Some of them overtake the evaluation of others.
    for (let n = 0; n < 1 + Math.floor(random() * 4); n += 1) {
      const times = [...new Set(Array.from({ length: 6 }, () => Math.floor(random() * 60) - 5))].sort((a, b) => a - b);
      const field = (): [number | null, number?] =>
        [
          [random() * 1.5] as [number],
          [random(), 9] as [number, number],
          [null, 158] as [null, number],
          [null] as [null],
        ][Math.floor(random() * 4)] ?? [null];
      await service.write(
        input.nodeId,
        times.map((time): Given => [time, ...field()]),
        false,
      );
    }
    await service.idle();
    const expected = valuesOf(input).flatMap(([timeMs, value, quality]) => {
      const result = rate(entries, {
        timeMs: timeMs ?? 0,
        value: value as number | undefined,
        quality: quality as number | undefined,
      } as never);
      return result ? [[timeMs, result.value, result.quality]] : [];
    });
    expect(valuesOf(output)).toEqual(expected);
  }
});
