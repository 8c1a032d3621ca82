// Series are in several InfluxDBs, and move between them (docs/operations/shards.md).
import { DeadLetters } from '@catchment/bus';
import { IngestBatch } from '@catchment/contracts/ingest';
import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newObjectId, partitionOf } from '@catchment/ids';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import { columnOf } from '@catchment/testkit/write-model';
import { routedChunks } from '../src/copies/store/routed-chunks.ts';
import { pgShardMoves } from '../src/shards/store/pg-shard-moves.ts';
import { pgShardAssignments } from '../src/shards/store/pg-shard-table.ts';
import { caller, type Historic, jts, SERVICE, startHistoric } from './fixture.ts';

const T = Date.UTC(2024, 0, 1);
const OTHER = 's2';

let h: Historic;
beforeAll(async () => {
  h = await startHistoric(undefined, { others: 1 });
  await until(async () => (await shardsNow())[1]?.isActive === true, {
    what: 'the shard is active',
  });
});
afterAll(() => h?.close());

const administration = () => h.shards.administration;
const shardsNow = async () => (await administration().list(SERVICE)).shards;

/** Makes a workspace with new parameters. */
async function workspaceOf(count: number, shard?: string) {
  const [ownerId, workspaceId] = [newObjectId(), newObjectId()];
  const workspace = NodeConfig.fromPartial({
    ownerId,
    workspaceId,
    nodeId: workspaceId,
    sourceId: workspaceId,
    revision: 1,
    class: 'Workspace',
    name: 'W',
  });
  await h.nodeChanged(workspace);
  if (shard) await administration().assign(SERVICE, workspaceId, shard);
  const series = Array.from({ length: count }, () => h.parameter({}, { ownerId, workspaceId }));
  for (const node of series) await h.nodeChanged(node);
  await h.idle();
  return { workspaceId, ownerId, series };
}
type Node = Awaited<ReturnType<typeof workspaceOf>>['series'][number];

/** Counts a series' points in each InfluxDB. */
async function pointsOf({ nodeId }: Node): Promise<number[]> {
  const counts: number[] = [];
  for (const influx of h.influxes) {
    const answer = await influx?.query(`SELECT count("v") FROM "h" WHERE "s" = '${nodeId}'`);
    counts.push(Number(answer?.results[0]?.series?.[0]?.values?.[0]?.[1] ?? 0));
  }
  return counts;
}
const rows = (from: number, count: number) =>
  jts(Array.from({ length: count }, (_, n) => [T + (from + n) * 1_000, { v: from + n }] as const));
const range = { startTime: new Date(T).toISOString(), endTime: new Date(T + 1e9).toISOString(), limit: '100000' };
async function valuesOf(node: Node): Promise<number[]> {
  const { text } = await h.readText(node, range);
  return JSON.parse(text).data.map((row: { f: { 0: { v: number } } }) => row.f[0].v);
}
const writeOf = ({ nodeId, ownerId, workspaceId, sourceId }: Node): LogEntry => ({
  kind: 'column',
  column: columnOf('MERGE_OVERWRITE_EXISTING', new Map([[T, { v: 0 }]]), {
    nodeId,
    ownerId,
    workspaceId,
    sourceId,
    modifiedMs: T,
  }),
});
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const moveOf = async (moveId: number) =>
  (await administration().moves(SERVICE)).moves.find((move) => move.moveId === moveId);
async function moved(moveId: number): Promise<void> {
  await until(async () => (await moveOf(moveId))?.state === 'done', { what: 'the move has ended' });
}

test('new series go to the InfluxDB of their workspace, and are read from there; one request may ask both', async () => {
  const [here, there] = [await workspaceOf(1), await workspaceOf(1, OTHER)];
  const [first, second] = [here.series[0] as Node, there.series[0] as Node];
  for (const node of [first, second]) await h.write(node, rows(0, 5));
  await h.idle();
  expect([await pointsOf(first), await pointsOf(second)]).toEqual([
    [5, 0],
    [0, 5],
  ]);
  for (const node of [first, second]) expect(await valuesOf(node)).toEqual(upTo(5));
  const third = h.parameter({}, { ownerId: here.ownerId, workspaceId: there.workspaceId });
  await h.write(third, rows(0, 3));
  await h.idle();
  expect(await pointsOf(third)).toEqual([0, 3]);
  const params = `${first.nodeId},${third.nodeId}`;
  const both = JSON.parse(await h.readMany({ params, ...range }, caller(here.ownerId)));
  expect(both.data.map(({ f }: { f: object }) => Object.keys(f).length)).toEqual([2, 2, 2, 1, 1]);
  // One that stands still for two seconds counts as down.
  const shards = await until(
    async () => {
      const found = await shardsNow();
      return found.every(({ isUp }) => isUp) && found;
    },
    { what: 'both answer' },
  );
  expect(shards).toMatchObject([
    { name: 'default', isUp: true },
    { name: OTHER, isUp: true, isActive: true, series: 2, pending: 0 },
  ]);
});

test('a new workspace goes where the fewest series are, but not where writes are refused as long as another one takes them', async () => {
  const assignments = pgShardAssignments(h.database, [OTHER]);
  const placed = async (refused: string[], newShard?: string) => {
    const [nodeId, workspaceId] = [newObjectId(), newObjectId()];
    await assignments.assign([{ nodeId, workspaceId }], newShard, new Set(refused));
    return (await h.shards.router.shardsOf([nodeId])).get(nodeId);
  };
  const fewest = (await placed([])) ?? '';
  const other = fewest === OTHER ? 'default' : OTHER;
  const most = await workspaceOf(10, other);
  for (const node of most.series) await h.write(node, rows(0, 1));
  expect(await placed([other])).toBe(fewest);
  expect(await placed([fewest])).toBe(other);
  expect(await placed([fewest, other])).toBe(fewest);
  // The setting of the operator is kept.
  expect(await placed([fewest], fewest)).toBe(fewest);
});

test('a shard that is drained, or that the settings lack, gets no new workspaces', async () => {
  const placed = async (names: string[], newShard?: string) => {
    const [nodeId, workspaceId] = [newObjectId(), newObjectId()];
    // All writes to `default` are refused, so any other shard is preferred.
    await pgShardAssignments(h.database, names).assign([{ nodeId, workspaceId }], newShard, new Set(['default']));
    return (await h.shards.router.shardsOf([nodeId])).get(nodeId);
  };
  expect([await placed([OTHER]), await placed([])]).toEqual([OTHER, 'default']);
  await administration().drain(SERVICE, OTHER, false);
  expect([await placed([OTHER]), await placed([OTHER], OTHER)]).toEqual(['default', 'default']);
  expect((await shardsNow())[1]?.isDrained).toBe(true);
  await administration().drain(SERVICE, OTHER, true);
  expect([await placed([OTHER]), await placed([OTHER], OTHER)]).toEqual([OTHER, OTHER]);
});

test('each writer reports its part of the log, and of how far all of them are', async () => {
  const [here, there] = [await workspaceOf(1), await workspaceOf(1, OTHER)];
  for (const { series } of [here, there]) await h.write(series[0] as Node, rows(0, 2));
  await h.idle();
  const about = (node: Node) => h.applied.filter(({ series }) => series.some(({ nodeId }) => nodeId === node.nodeId));
  expect(about(here.series[0] as Node)).toMatchObject([{ shardNumber: 0 }]);
  expect(about(there.series[0] as Node)).toMatchObject([{ shardNumber: h.shards.numberOf(OTHER) }]);
  const last = Math.max(...h.applied.map(({ settledSequence = 0 }) => settledSequence));
  expect(last).toBe(Math.max(...h.applied.map(({ logSequence }) => logSequence)));
});

test('a series stays where its records are when its node gets into another workspace', async () => {
  const [here, there] = [await workspaceOf(1), await workspaceOf(1, OTHER)];
  const node = here.series[0] as Node;
  await h.write(node, rows(0, 2));
  const after = { ...node, ownerId: here.ownerId, workspaceId: there.workspaceId, revision: 2 };
  await h.nodeChanged(after);
  await h.write(after, rows(2, 2));
  await h.idle();
  expect(await pointsOf(node)).toEqual([4, 0]);
});

test('a workspace is moved while all of it is written, in every mode, and loses nothing', async () => {
  const { workspaceId, series } = await workspaceOf(6);
  for (const node of series) await h.write(node, rows(0, 500));
  await h.idle();
  let stopping = false;
  const written = new Map<Node, number>(series.map((node) => [node, 500]));
  const writing = series.map(async (node, index) => {
    while (!stopping) {
      const from = written.get(node) ?? 0;
      // The writes come as quickly as records are stored, however full the machine is: behind a backlog that only grows a move waits for
      // ever.
      await until(async () => (await h.shards.backlog()) < series.length, { what: 'the writers keep up' });
      await h.write(node, rows(from, 10), index % 2 ? { writeMode: 'MERGE_PRESERVE_EXISTING' } : {});
      written.set(node, from + 10);
      // The record that is there already must not be taken for new, and comes back as it was.
      if (index === 3) await h.write(node, rows(0, 5), { writeMode: 'MERGE_FAIL_ON_EXISTING' });
      if (index === 4) {
        await h.write(node, rows(100, 1), { writeMode: 'DELETE' });
        await h.write(node, rows(100, 1));
      }
    }
  });
  const { moveId } = await administration().move(SERVICE, workspaceId, OTHER);
  try {
    await moved(moveId);
    for (const [node, count] of written) await until(() => (written.get(node) ?? 0) > count + 20);
  } finally {
    stopping = true;
    await Promise.all(writing);
  }
  await h.idle();
  for (const [node, count] of written) expect(await valuesOf(node)).toEqual(upTo(count));
  // After a second of grace the old records go.
  await until(async () => (await moveOf(moveId))?.seriesLeftBehind === 0);
  for (const [node, count] of written) expect(await pointsOf(node)).toEqual([0, count]);
  expect(await moveOf(moveId)).toMatchObject({ seriesMoved: 7, failure: '' });
});

test('records are copied with their modified times, qualities and annotations, and texts as they are', async () => {
  const { workspaceId, ownerId, series } = await workspaceOf(1);
  const [node] = series as [Node];
  const text = h.parameter({ valueType: 2 }, { ownerId, workspaceId });
  await h.nodeChanged(text);
  await h.write(node, jts([[T, { v: -1.5, q: 100, a: 'it"s \\ "quoted"' }]]));
  await h.write(node, rows(10, 300));
  await h.write(text, jts([[T, { v: 'a, "b"=c\nd' }]]));
  await h.idle();
  const modified = async () => [
    (await h.readText(node, { timeQuery: 'MODIFIED', startTime: '2020-01-01T00:00:00Z', limit: '1000' })).text,
    (await h.readText(text, range)).text,
    (await h.readText(node, range)).text,
  ];
  const before = await modified();
  await moved((await administration().move(SERVICE, workspaceId, OTHER)).moveId);
  await until(async () => (await h.shards.router.shardsOf([node.nodeId])).get(node.nodeId) === OTHER);
  expect(await modified()).toEqual(before);
});

test('while one InfluxDB is away the other is written and read; what waits for it arrives later', async () => {
  const [here, there] = [await workspaceOf(1), await workspaceOf(1, OTHER)];
  const [first, second] = [here.series[0] as Node, there.series[0] as Node];
  await h.writers.get(OTHER)?.stop();
  for (const node of [second, first]) await h.write(node, rows(0, 4));
  await until(async () => (await valuesOf(first)).length === 4);
  expect(await valuesOf(second)).toEqual([]);
  h.startWriter(OTHER);
  await until(async () => (await valuesOf(second)).length === 4);
});

test('what its old shard has passed by is not taken for stored, just after a series has been handed over', async () => {
  const { series } = await workspaceOf(1);
  const [node] = series as [Node];
  await h.write(node, rows(0, 1));
  await h.idle();
  await h.writers.get(OTHER)?.stop();
  await h.write(node, rows(1, 1));
  const last = await h.bus.lastSequence('INGEST');
  await until(() => h.bus.hasRead('writer', partitionOf(node.sourceId, 2), last));
  expect(await h.shards.isStored(node, last)).toBe(true);
  await h.shards.router.shardsOf([node.nodeId]);
  await h.database.query('UPDATE series_shards SET shard = $2 WHERE node_id = $1', [node.nodeId, OTHER]);
  expect(await h.shards.isStored(node, last)).toBe(false);
  h.startWriter(OTHER);
  await until(() => h.shards.isStored(node, last));
});

test('a dead letter whose series has moved to an InfluxDB that is away is one again, and its writer goes on', async () => {
  const letters = await DeadLetters.open({ url: h.nats.url, prefix: h.nats.prefix, name: 'test' });
  const { workspaceId, series } = await workspaceOf(1);
  const [node] = series as [Node];
  const [data = new Uint8Array()] = encodeEntries([writeOf(node)], 1_000_000, newObjectId);
  const newer = IngestBatch.encode({ ...IngestBatch.decode(data), version: 99 }).finish();
  await h.bus.publish(`ingest.${partitionOf(node.sourceId, 2)}`, newer, { msgId: newObjectId() });
  await h.write(node, rows(1, 1));
  await h.idle();
  await moved((await administration().move(SERVICE, workspaceId, OTHER)).moveId);
  const letterOf = async () => (await Array.fromAsync(letters.list())).find(({ reader }) => /^writer-\d/.test(reader));
  const letter = await letterOf();
  if (!letter) throw new Error('there is no dead letter');

  const { connection } = h.shards.router.store(OTHER);
  const write = connection.write.bind(connection);
  connection.write = () => Promise.reject(unavailable('INFLUX_UNAVAILABLE'));
  const failed = await letters.outcome(letter, await letters.retry(letter.number, data), 20_000);
  expect(failed).toMatchObject({ kind: 'failed', letter: { reason: expect.stringContaining('SHARD_AWAY') } });
  connection.write = write;
  const again = await letterOf();
  if (!again) throw new Error('there is no dead letter');
  expect(await letters.outcome(again, await letters.retry(again.number), 20_000)).toEqual({ kind: 'handled' });
  expect(await valuesOf(node)).toEqual(upTo(2));
  await letters.close();
});

test('what a backup is reading stays while its series is moved; where it is removed all the same, the backup fails', async () => {
  const { workspaceId, ownerId, series } = await workspaceOf(1);
  const [node] = series as [Node];
  await h.write(node, rows(0, 5));
  await h.idle();
  await h.database.query(`INSERT INTO backup_holds VALUES ('one', now() + interval '1 hour')`);
  const copied = { nodeId: node.nodeId, ownerId, valueType: ValueType.VALUE_TYPE_NUMBER };
  const [first, second] = [1, 2].map(() =>
    routedChunks(h.database, h.shards.router, copied, { signal: AbortSignal.timeout(HANGS_AFTER_MS) }),
  ) as [ReturnType<typeof routedChunks>, ReturnType<typeof routedChunks>];
  for (const reading of [first, second]) expect((await reading.next()).done).toBe(false);
  const { moveId } = await administration().move(SERVICE, workspaceId, OTHER);
  await moved(moveId);
  await until(async () => (await h.shards.router.shardsOf([node.nodeId])).get(node.nodeId) === OTHER);
  const clean = () =>
    pgShardMoves(h.database).clean(0, 30_000, async () => {
      throw new Error('removed');
    });
  // The first one begins its grace, which is over with the second one.
  expect([await clean(), await clean()]).toEqual([false, false]);
  expect(await pointsOf(node)).toEqual([5, 5]);
  expect((await first.next()).done).toBe(true);
  await h.database.query('DELETE FROM backup_holds');
  await until(async () => (await moveOf(moveId))?.seriesLeftBehind === 0);
  expect(await pointsOf(node)).toEqual([0, 5]);
  await expect(second.next()).rejects.toMatchObject({ reason: 'SERIES_MOVED' });
});

test('a move that is cancelled leaves everything where it was, and nothing at the other one', async () => {
  const { workspaceId, series } = await workspaceOf(2);
  for (const node of series) await h.write(node, rows(0, 10));
  await h.idle();
  // Its old shard's writer stands, so no switchover begins.
  await h.writers.get('default')?.stop();
  const [first] = series as [Node];
  await h.write(first, rows(10, 1));
  const { moveId } = await administration().move(SERVICE, workspaceId, OTHER);
  expect(await administration().cancel(SERVICE, moveId)).toMatchObject({ state: 'cancelled' });
  h.startWriter('default');
  await until(async () => (await moveOf(moveId))?.seriesLeftBehind === 0);
  await h.idle();
  expect(await valuesOf(first)).toEqual(upTo(11));
  expect(await pointsOf(first)).toEqual([11, 0]);
});

test('deleted nodes have their records removed wherever they are', async () => {
  const { series } = await workspaceOf(2, OTHER);
  for (const node of series) await h.write(node, rows(0, 3));
  await h.idle();
  await h.nodesDeleted(...series);
  await until(async () => (await pointsOf(series[0] as Node)).every((count) => count === 0));
});

test.each([
  [
    'assigning to an InfluxDB that is not there',
    () => administration().assign(SERVICE, newObjectId(), 'nowhere'),
    'SHARD_NOT_ACTIVE',
  ],
  ['an id that is none', () => administration().assign(SERVICE, 'x', OTHER), 'INVALID_ARGUMENT'],
  ['moving a workspace that is not there', () => administration().move(SERVICE, newObjectId(), OTHER), 'NOT_FOUND'],
  ['cancelling a move that is not there', () => administration().cancel(SERVICE, 999_999), 'NOT_FOUND'],
  ['draining `default`', () => administration().drain(SERVICE, 'default', false), 'INVALID_ARGUMENT'],
  ['draining one that is not there', () => administration().drain(SERVICE, 'nowhere', false), 'NOT_FOUND'],
  ['removing one of the settings', () => administration().remove(SERVICE, OTHER), 'SHARD_IN_USE'],
  ['an account', () => administration().list(caller(newObjectId())), 'SERVICE_CALLER_NEEDED'],
])('%s is refused', async (_what, act, reason) => {
  await expect(act()).rejects.toMatchObject({ reason });
});

test('a switchover that nobody ends is taken back, and what waited for it is written', async () => {
  const { workspaceId, ownerId, series } = await workspaceOf(1);
  const [node] = series as [Node];
  await h.write(node, rows(0, 2));
  await h.idle();
  // A process that dies in between leaves it so.
  const { rows: made } = await h.database.query<{ portion_id: number }>(
    `WITH move AS (INSERT INTO shard_moves (workspace_id, owner_id, to_shard, state) VALUES ($1, $2, $3, 'done') RETURNING move_id)
     INSERT INTO shard_portions (move_id, from_shard, to_shard, state, boundaries, cut_until)
     SELECT move_id, 'default', $3, 'cutting', ARRAY[0, 0], clock_timestamp() + interval '1 hour' FROM move
     RETURNING portion_id`,
    [workspaceId, ownerId, OTHER],
  );
  const portionId = made[0]?.portion_id;
  await h.database.query('INSERT INTO portion_series (portion_id, node_id) VALUES ($1, $2)', [portionId, node.nodeId]);
  // A writer that waits looks again and again whether the time of the switchover is over.
  const asked = vi.spyOn(h.database, 'query');
  try {
    await h.write(node, rows(2, 2));
    await until(() => asked.mock.calls.some(([, , name]) => name === 'take-back-cuts'), { what: 'its writer waits' });
  } finally {
    asked.mockRestore();
  }
  expect(await valuesOf(node)).toEqual(upTo(2));
  await h.database.query('UPDATE shard_portions SET cut_until = clock_timestamp() WHERE portion_id = $1', [portionId]);
  await until(async () => (await valuesOf(node)).length === 4, { what: 'the write goes on' });
  const { rows: after } = await h.database.query('SELECT state FROM shard_portions WHERE portion_id = $1', [portionId]);
  expect(after).toEqual([{ state: 'copying' }]);
  await h.database.query(`UPDATE shard_portions SET state = 'cancelled' WHERE portion_id = $1`, [portionId]);
});

test('a move waits for an InfluxDB that refuses, says so, and goes on', async () => {
  const { workspaceId, series } = await workspaceOf(2);
  for (const node of series) await h.write(node, rows(0, 20));
  await h.idle();
  const { connection } = h.shards.router.store(OTHER);
  const write = connection.write.bind(connection);
  connection.write = () => Promise.reject(unavailable('INFLUX_UNAVAILABLE'));
  const { moveId } = await administration().move(SERVICE, workspaceId, OTHER);
  const heldUp = async () => ((await moveOf(moveId))?.failure ?? '').startsWith('INFLUX_UNAVAILABLE');
  await until(heldUp, { what: 'it says why it is held up' });
  for (const node of series) expect(await valuesOf(node)).toEqual(upTo(20));
  connection.write = write;
  await moved(moveId);
  for (const node of series) expect(await valuesOf(node)).toEqual(upTo(20));
  expect(await moveOf(moveId)).toMatchObject({ failure: '', seriesMoved: 3, recordsCopied: 40 });
});

test('a workspace comes back, and what is written on the way is there', async () => {
  const { workspaceId, series } = await workspaceOf(1);
  const [node] = series as [Node];
  await h.write(node, rows(0, 10));
  // Its old records stay until the backup has ended, however soon the time of grace is over.
  await h.database.query(`INSERT INTO backup_holds VALUES ('return', now() + interval '1 hour')`);
  const there = await administration().move(SERVICE, workspaceId, OTHER);
  await moved(there.moveId);
  await expect(administration().move(SERVICE, workspaceId, 'default')).rejects.toMatchObject({
    reason: 'SHARD_MOVE_OPEN',
  });
  await h.database.query('DELETE FROM backup_holds');
  await h.write(node, rows(10, 10));
  await until(async () => (await moveOf(there.moveId))?.seriesLeftBehind === 0);
  await moved((await administration().move(SERVICE, workspaceId, 'default')).moveId);
  await h.write(node, rows(20, 10));
  await h.idle();
  expect(await valuesOf(node)).toEqual(upTo(30));
});
