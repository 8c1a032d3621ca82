import type { NodeConfig } from '@catchment/contracts/nodes';
import { type DeletedNode, lockNodes, markDeleted, purgeDeleted, readNodes, saveNodes } from '@catchment/node-replica';
import { appendOutbox, type Database, deleteInBatches, type OutboxMessage, type Queryable } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import type { Changes, NewEvent, NodeAlarm, SeriesChange } from '../domain/changes.ts';
import { type Node, toNode } from '../domain/node.ts';
import type { OutdatedCheck } from '../domain/outdated-check.ts';
import type {
  AlarmStore,
  AlarmTransaction,
  CheckTransaction,
  LogPosition,
  PartitionTransaction,
} from '../usecases/ports.ts';
import { takeAheadDays } from './ahead-rows.ts';
import { lockAlarms, lockRaisedUnder, saveAlarms } from './alarm-rows.ts';
import { advanceAttempts } from './attempt-rows.ts';
import { dueChecks, lookSoon, saveChecks, watchSources } from './check-rows.ts';
import { judgeLater, judgements, judgeSeriesOf, takeJudgements } from './judgement-rows.ts';
import { lockSeries, saveSeries } from './series-rows.ts';
import { Transitions } from './transitions.ts';
import {
  readyToGoOn,
  removeWaiting,
  saveSettled,
  saveVerdicts,
  verdictsOf,
  WAITING_LIMITS,
  WaitingRoom,
  waitingOf,
} from './waiting-rows.ts';

/** The outbox sends these messages about changes. */
type ChangeMessages = {
  event(event: NewEvent): OutboxMessage;
  state(change: SeriesChange, revision: number): OutboxMessage;
  alarm(alarm: NodeAlarm, revision: number): OutboxMessage;
};

/** Ends a transaction that shall leave nothing. */
class NotNow extends Error {}

export class PgAlarmStore implements AlarmStore {
  readonly #database: Database;
  readonly #messages: ChangeMessages;
  readonly #room: WaitingRoom;
  /** A look goes on behind the series that the one before ended with: some may not be able to go on for long. */
  #lookedUpTo = '';

  constructor(database: Database, messages: ChangeMessages, limits = WAITING_LIMITS) {
    this.#database = database;
    this.#messages = messages;
    this.#room = new WaitingRoom(limits);
  }

  async transaction<T>(work: (tx: AlarmTransaction) => Promise<T>): Promise<T> {
    const transitions = new Transitions();
    const result = await this.#database.transaction((tx) => work(this.#on(tx, transitions.begin())));
    transitions.count();
    return result;
  }

  inPartition(partition: number, work: (tx: PartitionTransaction) => Promise<boolean>): Promise<void> {
    return this.#inPartition(partition, (_tx, locked) => work(locked));
  }

  applyOnce(
    { partition, sequence }: LogPosition,
    work: (tx: PartitionTransaction, appliedSequence: number) => Promise<boolean>,
  ): Promise<void> {
    return this.#inPartition(partition, async (tx, locked, appliedSequence) => {
      if (appliedSequence >= sequence || !(await work(locked, appliedSequence))) return false;
      await tx.query(
        'UPDATE progress SET log_sequence = $2 WHERE partition = $1',
        [partition, sequence],
        'move-progress',
      );
      return true;
    });
  }

  async takeDueChecks(
    nowMs: number,
    limit: number,
    work: (tx: CheckTransaction, due: readonly OutdatedCheck[]) => Promise<void>,
  ): Promise<number> {
    const transitions = new Transitions();
    const looked = await this.#database.transactionOnce(async (tx) => {
      const due = await dueChecks(tx, this.#database.schema, nowMs, limit);
      const saves = { saveChecks: saveChecks.bind(undefined, tx) };
      if (due.length > 0) await work({ ...this.#on(tx, transitions), ...saves }, due);
      return due.length;
    });
    transitions.count();
    return looked;
  }

  judgements(limit: number, without: readonly string[]) {
    return judgements(this.#database, limit, without);
  }

  settle(partition: number, sequence: number) {
    return saveSettled(this.#database, partition, sequence);
  }

  async readyToGoOn(limit: number) {
    const ready = await readyToGoOn(this.#database, limit, this.#lookedUpTo);
    this.#lookedUpTo = ready.length < limit ? '' : (ready.at(-1)?.nodeId ?? '');
    return ready;
  }

  async readNodes(nodeIds: readonly string[]) {
    return nodesOf(await readNodes(this.#database, nodeIds));
  }

  async purge({ nowMs, leftOverMs }: { nowMs: number; leftOverMs: number }): Promise<void> {
    await purgeDeleted(this.#database, nowMs);
    await deleteInBatches(this.#database, 'column_parts', 'stored_at < $1', [formatIsoMs(leftOverMs)]);
    await deleteInBatches(this.#database, 'ahead_days', 'day < $1', [Math.floor(leftOverMs / 86_400_000)]);
    const unused = 'data IS NULL AND since_time < $1';
    await deleteInBatches(this.#database, 'waiting_entries', unused, [formatIsoMs(leftOverMs)]);
  }

  /** The partition's row is locked to the end: of two replicas with the same message the second finds it applied. */
  async #inPartition(
    partition: number,
    work: (tx: Queryable, locked: PartitionTransaction, appliedSequence: number) => Promise<boolean>,
  ): Promise<void> {
    const transitions = new Transitions();
    try {
      await this.#database.transaction(async (tx) => {
        await tx.query('INSERT INTO progress VALUES ($1, 0) ON CONFLICT DO NOTHING', [partition], 'begin-progress');
        const { rows } = await tx.query<{ log_sequence: number }>(
          'SELECT log_sequence FROM progress WHERE partition = $1 FOR UPDATE',
          [partition],
          'lock-progress',
        );
        const locked = this.#inside(tx, partition, transitions.begin());
        if (!(await work(tx, locked, rows[0]?.log_sequence ?? 0))) throw new NotNow();
      });
      transitions.count();
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
    }
  }

  #inside(tx: Queryable, partition: number, transitions: Transitions): PartitionTransaction {
    return {
      ...this.#on(tx, transitions),
      stagePart: (part) => stagePart(tx, part),
      takeParts: (columnKey) => takeParts(tx, columnKey),
      verdicts: (sequence) => verdictsOf(tx, partition, sequence),
      saveVerdicts: (verdicts) => saveVerdicts(tx, partition, verdicts),
      wait: (entries) => this.#room.keep(tx, partition, entries),
      waiting: (nodeIds, most) => waitingOf(tx, nodeIds, most),
      remove: (places) => removeWaiting(tx, partition, places),
    };
  }

  #on(tx: Queryable, transitions: Transitions): AlarmTransaction {
    return {
      nodes: async (nodeIds) => {
        const locked = await lockNodes(tx, nodeIds);
        return new Map(
          [...locked].map(([nodeId, { node, source }]) => {
            // A source that is not known yet is taken for enabled: it is new.
            return [nodeId, { node: toNode(node), isSourceEnabled: source?.source?.isEnabled ?? true }];
          }),
        );
      },
      series: (nodeIds) => lockSeries(tx, nodeIds),
      alarms: (nodeIds, types) => lockAlarms(tx, nodeIds, types),
      raisedUnder: (sourceIds) => lockRaisedUnder(tx, sourceIds),
      nodesBefore: (nodeIds) => nodesBefore(tx, nodeIds),
      saveNodes: (configs) => saveNodes(tx, configs),
      moveAlarms: (nodes) => moveAlarms(tx, nodes),
      judgeLater: (all) => judgeLater(tx, all),
      judgeSeriesOf: (sources) => judgeSeriesOf(tx, sources),
      takeAheadDays: (days) => takeAheadDays(tx, days),
      takeJudgements: (all) => takeJudgements(tx, all),
      forgetNodes: (ownerId, nodes) => forgetNodes(tx, ownerId, nodes),
      advanceAttempts: (attempts) => advanceAttempts(tx, attempts),
      watchSources: (nodes) => watchSources(tx, nodes),
      arrived: (sourceIds) => lookSoon(tx, sourceIds, 'outdated_since_ms IS NOT NULL'),
      lookSoon: (sourceIds) => lookSoon(tx, sourceIds),
      save: async (changes) => {
        await this.#save(tx, changes);
        transitions.add(changes.alarms?.filter(({ isReported = true }) => isReported));
      },
    };
  }

  async #save(tx: Queryable, { series = [], alarms = [], events = [] }: Changes): Promise<void> {
    await saveSeries(
      tx,
      lastOfEach(series, ({ node }) => node.nodeId),
    );
    await saveAlarms(
      tx,
      lastOfEach(alarms, ({ node, type }) => `${node.nodeId} ${type}`),
    );
    const announced = series.filter((change) => change.announce);
    const reported = alarms.filter(({ isReported = true }) => isReported);
    const revisions = await nextRevisions(tx, announced.length + reported.length);
    await appendOutbox(tx, [
      ...events.map((event) => this.#messages.event(event)),
      ...announced.map((change, n) => this.#messages.state(change, revisions[n] ?? 0)),
      ...reported.map((change, n) => this.#messages.alarm(change, revisions[announced.length + n] ?? 0)),
    ]);
  }
}

const lastOfEach = <T>(changes: readonly T[], keyOf: (change: T) => string): readonly T[] => [
  ...new Map(changes.map((change) => [keyOf(change), change])).values(),
];

const nodesOf = (stored: ReadonlyMap<string, NodeConfig | 'deleted'>): Map<string, Node | undefined> =>
  new Map([...stored].map(([nodeId, node]) => [nodeId, node === 'deleted' ? undefined : toNode(node)]));

/** Rows are locked in the same order everywhere, as saveNodes locks them. */
async function nodesBefore(tx: Queryable, nodeIds: readonly string[]): Promise<Map<string, Node | undefined>> {
  await tx.query(
    'SELECT 1 FROM node_replica WHERE node_id = ANY($1::text[]) ORDER BY node_id FOR UPDATE',
    [nodeIds],
    'lock-nodes-before',
  );
  return nodesOf(await readNodes(tx, nodeIds));
}

async function moveAlarms(tx: Queryable, nodes: readonly Node[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx.query(
    `UPDATE alarms SET workspace_id = n.workspace_id FROM unnest($1::text[], $2::text[]) AS n (node_id, workspace_id)
     WHERE alarms.node_id = n.node_id`,
    [nodes.map(({ nodeId }) => nodeId), nodes.map(({ workspaceId }) => workspaceId)],
    'move-alarms',
  );
}

async function forgetNodes(tx: Queryable, ownerId: string, nodes: readonly DeletedNode[]): Promise<void> {
  await markDeleted(tx, ownerId, nodes);
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  for (const table of [
    'series',
    'alarms',
    'attempts',
    'outdated_checks',
    'waiting_entries',
    'judgements',
    'ahead_days',
  ])
    await tx.query(`DELETE FROM ${table} WHERE node_id = ANY($1::text[])`, [nodeIds]);
}

async function nextRevisions(tx: Queryable, count: number): Promise<readonly number[]> {
  if (count === 0) return [];
  const { rows } = await tx.query<{ revision: number }>(
    `SELECT nextval('revisions') AS revision FROM generate_series(1, $1::int)`,
    [count],
    'next-revisions',
  );
  return rows.map((row) => row.revision);
}

async function stagePart(
  tx: Queryable,
  { columnKey, part, data }: Parameters<PartitionTransaction['stagePart']>[0],
): Promise<void> {
  await tx.query('INSERT INTO column_parts (column_key, part, data) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    columnKey,
    part,
    Buffer.from(data),
  ]);
}

async function takeParts(tx: Queryable, columnKey: string): Promise<readonly Uint8Array[]> {
  const { rows } = await tx.query<{ data: Buffer }>(
    `WITH taken AS (DELETE FROM column_parts WHERE column_key = $1 RETURNING part, data)
     SELECT data FROM taken ORDER BY part`,
    [columnKey],
  );
  return rows.map(({ data }) => data);
}
