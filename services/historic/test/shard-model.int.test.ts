// Moves between shards are held against a model: a log and two stores in memory, with the real map in PostgreSQL, the real mover and the
// real share of writers. Movers and writers die at any step, moves are cancelled, and nodes change their workspace meanwhile.
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { NodeConfig } from '@catchment/contracts/nodes';
import { toDomainError, unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { saveNodes } from '@catchment/node-replica';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { amount, until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import {
  applyToModel,
  columnOf,
  type Model,
  type ModeName,
  randomFrom,
  type Updates,
} from '@catchment/testkit/write-model';
import { DEFAULT_SHARD } from '../src/records/domain/default-shard.ts';
import { pgShardMoves } from '../src/shards/store/pg-shard-moves.ts';
import { pgShardAssignments, pgShardTable } from '../src/shards/store/pg-shard-table.ts';
import { pgWriterAssignments } from '../src/shards/store/pg-writer-assignments.ts';
import { ShardRouter } from '../src/shards/store/shard-router.ts';
import { MoveWorker } from '../src/shards/usecases/move-worker.ts';
import type { CopyRecords, ShardMoves } from '../src/shards/usecases/ports.ts';
import { ShardShare } from '../src/shards/usecases/writer-share.ts';

const PARTITIONS = 2;
const SHARDS = [DEFAULT_SHARD, 'b'] as const;
const [WORKSPACES, NODES, STEPS] = [3, 12, amount(250, 600)];
/** The times lie in several buckets of changes. */
const TIMES = Array.from({ length: 8 }, (_, n) => n * 2 ** 29);
/** One step copies this many records of a series: the others take another step. */
const COPIED = 3;
/** What a step of a move may end. */
const STATES = ['begin', 'copying', 'cutting', 'preparing'];
const MODES: readonly ModeName[] = ['MERGE_OVERWRITE_EXISTING', 'DELETE', 'DELETE_RANGE', 'INSERT_DELETE_EXISTING'];
const log = createLogger('test', { level: 'silent' });

let pg: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
/** The newest sequence of the log goes on from run to run, since PostgreSQL has the sequences that writers have passed. */
let sequence = 0;
beforeAll(async () => {
  pg = await migratedDatabase('historic');
  database = new Database({ url: pg.url, schema: 'historic', applicationName: 'test' });
  const table = pgShardTable(database, PARTITIONS);
  await table.register(['b']);
  await table.activate();
});
afterAll(async () => {
  await database?.close();
  await pg?.drop();
});

type Write = { readonly nodeId: string; readonly mode: ModeName; readonly updates: Updates };
type Message = { sequence: number; data: Uint8Array; writes: Write[]; entries: (readonly [number, LogEntry])[] };

test.each([1, 2, 3].slice(0, amount(1, 3)))(
  'whatever dies, is cancelled or changes its workspace, each record is read once, and never as it was before (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const [ownerId, workspaces] = [newObjectId(), Array.from({ length: WORKSPACES }, () => newObjectId())];
    const nodes = new Map<string, { workspaceId: string; partition: number; revision: number }>();
    const save = (nodeId: string, workspaceId: string, revision: number) =>
      saveNodes(database, [NodeConfig.fromPartial({ ownerId, workspaceId, nodeId, sourceId: nodeId, revision })]);
    for (const workspaceId of workspaces) await save(workspaceId, workspaceId, 1);
    for (let n = 0; n < NODES; n += 1) {
      const [nodeId, workspaceId] = [newObjectId(), oneOf(workspaces)];
      nodes.set(nodeId, { workspaceId, partition: n % PARTITIONS, revision: 1 });
      await save(nodeId, workspaceId, 1);
    }

    const logs: Message[][] = Array.from({ length: PARTITIONS }, () => []);
    const append = (partition: number, writes: Write[], entries: Message['entries']): number => {
      sequence += 1;
      logs[partition]?.push({ sequence, data: new Uint8Array(), writes, entries });
      return sequence;
    };
    /** Each record has its states in the order of the log; undefined is none. */
    const history = new Map<string, (number | undefined)[]>();
    const model = new Map<string, Model>([...nodes.keys()].map((nodeId) => [nodeId, new Map()]));
    const stores = new Map<string, Map<string, Model>>(SHARDS.map((shard) => [shard, new Map()]));
    const storeOf = (shard: string, nodeId: string): Model => {
      const store = stores.get(shard) ?? new Map<string, Model>();
      const records = store.get(nodeId) ?? new Map();
      store.set(nodeId, records);
      return records;
    };
    const assignments = pgShardAssignments(database, ['b']);
    let value = 0;
    const write = async () => {
      const nodeId = oneOf([...nodes.keys()]);
      const { workspaceId, partition } = nodes.get(nodeId) as { workspaceId: string; partition: number };
      const mode = random() < 0.7 ? 'MERGE_OVERWRITE_EXISTING' : oneOf(MODES);
      const updates = new Map(
        [oneOf(TIMES), oneOf(TIMES)].map((time) => {
          value += 1;
          return [time, { v: value }];
        }),
      );
      await assignments.assign([{ nodeId, workspaceId }], DEFAULT_SHARD, new Set());
      const column = columnOf(mode, updates, { nodeId, workspaceId, ownerId, sourceId: nodeId });
      append(partition, [{ nodeId, mode, updates }], [[0, { kind: 'column', column }]]);
      const records = model.get(nodeId) as Model;
      applyToModel(records, mode, updates);
      for (const time of TIMES) {
        const key = `${nodeId} ${time}`;
        const states = history.get(key) ?? [undefined];
        history.set(key, states);
        const now = records.get(time)?.v as number | undefined;
        if (states.at(-1) !== now) states.push(now);
      }
    };

    /** Nobody dies any more; then nothing is written any more. */
    let [isOver, isEnd] = [false, false];
    const { signal } = new AbortController();
    const dies = (chance: number) => !isOver && random() < chance;
    const position = new Map<string, number>();
    const writer = async (shard: string, partition: number) => {
      const share = new ShardShare({ shard, assignments: pgWriterAssignments(database), isSpread: () => true });
      const key = `${shard} ${partition}`;
      let most = 3;
      while (!isEnd || (position.get(key) ?? 0) < (logs[partition]?.length ?? 0)) {
        const from = position.get(key) ?? 0;
        const batch = (logs[partition] ?? []).slice(from, from + most);
        if (batch.length === 0 || dies(0.1)) {
          await pause(2);
          continue;
        }
        try {
          const own = await share.of(partition, batch, signal);
          for (const message of own)
            if (message.entries.length > 0)
              for (const { nodeId, mode, updates } of message.writes)
                applyToModel(storeOf(shard, nodeId), mode, updates);
          // It is stored, and neither noted nor acknowledged.
          if (batch.length === 1 && dies(0.1)) continue;
          await share.done(partition, own, signal);
          if (batch.length === 1 && dies(0.1)) continue;
          position.set(key, from + batch.length);
          most = 3;
        } catch (error) {
          if (toDomainError(error).reason !== 'SERIES_MOVING') throw error;
          most = 1;
        }
        await turn();
      }
    };

    const copy: CopyRecords = async (shards, parts, _most, _signal) => {
      const rest = new Map<number, number>();
      let records = 0;
      for (const [n, { nodeId, fromMs, toMs, clears }] of parts.entries()) {
        const to = storeOf(shards.to, nodeId);
        if (clears) for (const time of to.keys()) if (time >= fromMs && time <= toMs) to.delete(time);
        const found = [...storeOf(shards.from, nodeId)].filter(([time]) => time >= fromMs && time <= toMs);
        // Read before it is written, as it is between two servers.
        await pause(random() < 0.2 ? 3 : 0);
        const some = found.sort(([a], [b]) => a - b).slice(0, COPIED);
        for (const [time, record] of some) to.set(time, record);
        records += some.length;
        if (found.length > COPIED) rest.set(n, (some.at(-1)?.[0] ?? 0) + 1);
        if (dies(0.03)) throw unavailable('INFLUX_UNAVAILABLE');
      }
      return { records, rest };
    };
    /** Steps that were done and not stored, by the state that they were to end. */
    const killed = new Set<string>();
    const moves: ShardMoves = {
      ...pgShardMoves(database),
      step: (work) =>
        pgShardMoves(database).step(async (step) => {
          const state = (await step.portion())?.state ?? 'begin';
          const outcome = await work(step);
          // The first step of each state always dies: how often a state comes depends on the machine.
          if (!dies(killed.has(state) ? 0.05 : 1)) return outcome;
          killed.add(state);
          throw new Error('killed');
        }),
      failed: async () => {},
    };
    const mover = () =>
      new MoveWorker({
        moves,
        copy,
        log,
        graceSeconds: 1,
        isSpread: () => true,
        mark: async () => logs.map((_, partition) => append(partition, [], [])),
        remove: async (shard, nodeIds) => {
          for (const nodeId of nodeIds) storeOf(shard, nodeId).clear();
        },
      });
    const movers = [mover(), mover()];

    const router = new ShardRouter(database, new Map(), () => true);
    const seen = new Map<string, number>();
    const read = async () => {
      const nodeId = oneOf([...nodes.keys()]);
      const shard = (await router.shardsOf([nodeId])).get(nodeId) ?? DEFAULT_SHARD;
      const records = storeOf(shard, nodeId);
      for (const time of TIMES) {
        const key = `${nodeId} ${time}`;
        const states = history.get(key) ?? [undefined];
        // The same absence comes back; the first that may be meant is the one that promises least.
        const index = states.indexOf(records.get(time)?.v as number | undefined, seen.get(key) ?? 0);
        if (index < 0)
          throw new Error(`${key} at ${shard} is ${records.get(time)?.v}, after ${states[seen.get(key) ?? 0]}`);
        seen.set(key, index);
      }
    };

    const movedPortions = async (): Promise<number> => {
      const { rows } = await database.query(`SELECT 1 FROM shard_portions WHERE state = 'moved'`);
      return rows.length;
    };
    const writers = SHARDS.flatMap((shard) => logs.map((_, partition) => writer(shard, partition)));
    const asked: number[] = [];
    const drive = async () => {
      // A machine decides how far moves come in a number of steps: it goes on until a step of each state has died, and a portion has moved.
      for (let n = 0; n < STEPS || killed.size < STATES.length || (await movedPortions()) === 0; n += 1) {
        await write();
        await read();
        for (const mover of movers) mover.wake();
        if (n % 25 === 5)
          await moves.ask(oneOf(workspaces), oneOf(SHARDS)).then(
            ({ moveId }) => asked.push(moveId),
            (error) => expect(toDomainError(error).reason).toBe('SHARD_MOVE_OPEN'),
          );
        if (n < STEPS && n % 60 === 50) await moves.cancel(asked.at(-1) ?? 0).catch(() => undefined);
        if (n % 15 === 10) {
          const nodeId = oneOf([...nodes.keys()]);
          const before = nodes.get(nodeId) as { workspaceId: string; partition: number; revision: number };
          const after = { ...before, workspaceId: oneOf(workspaces), revision: before.revision + 1 };
          nodes.set(nodeId, after);
          await save(nodeId, after.workspaceId, after.revision);
        }
        await pause(5);
      }
    };
    try {
      await drive();
      isOver = true;
      await until(
        async () => {
          for (const mover of movers) mover.wake();
          await read();
          const all = await moves.list();
          return all.every(({ state, leftBehind }) => state !== 'moving' && leftBehind === 0);
        },
        { what: 'all moves have ended, and old copies are removed' },
      );
    } finally {
      [isOver, isEnd] = [true, true];
      await Promise.all(movers.map((mover) => mover.stop()));
      await Promise.all(writers);
    }
    expect([...killed].sort()).toEqual(STATES);
    expect(await movedPortions()).toBeGreaterThan(0);
    const at = await router.shardsNow([...nodes.keys()]);
    for (const nodeId of nodes.keys())
      for (const shard of SHARDS) {
        const here = (at.get(nodeId) ?? DEFAULT_SHARD) === shard ? model.get(nodeId) : new Map();
        expect([nodeId, shard, new Map([...storeOf(shard, nodeId)].sort())]).toEqual([
          nodeId,
          shard,
          new Map([...(here ?? [])].sort()),
        ]);
      }
  },
);
