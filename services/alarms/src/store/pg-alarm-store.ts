import { appendOutbox, type Database, deleteInBatches, type OutboxMessage, type Queryable } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import type {
  AlarmStore,
  AlarmTransaction,
  Changes,
  LogPosition,
  NewEvent,
  NodeAlarm,
  PartitionTransaction,
  SeriesChange,
  StoredPart,
} from '../usecases/ports.ts';
import { lockAlarms, lockRaisedUnder, saveAlarms } from './alarm-rows.ts';
import { forgetNodes, lockNodes, readNodes, saveNodes } from './node-rows.ts';
import { lockSeries, saveSeries } from './series-rows.ts';
import {
  keepWaiting,
  readyToGoOn,
  removeSettled,
  saveVerdicts,
  untoldSince,
  verdictsOf,
  waitingOf,
} from './waiting-rows.ts';

const UNUSED_VERDICT = `stored_time < $1 AND NOT EXISTS (SELECT 1 FROM waiting_entries w
  WHERE (w.partition, w.log_sequence, w.entry) = (column_verdicts.partition, column_verdicts.log_sequence, column_verdicts.entry))`;

/** What is told of changes, by the outbox. */
export type ChangeMessages = {
  event(event: NewEvent): OutboxMessage;
  state(change: SeriesChange, revision: number): OutboxMessage;
  alarm(alarm: NodeAlarm, revision: number): OutboxMessage;
};

/** Ends a transaction that shall leave nothing. */
class NotNow extends Error {}

export class PgAlarmStore implements AlarmStore {
  readonly #database: Database;
  readonly #messages: ChangeMessages;

  constructor(database: Database, messages: ChangeMessages) {
    this.#database = database;
    this.#messages = messages;
  }

  transaction<T>(work: (tx: AlarmTransaction) => Promise<T>): Promise<T> {
    return this.#database.transaction((tx) => work(this.#on(tx)));
  }

  inPartition(partition: number, work: (tx: PartitionTransaction) => Promise<boolean>): Promise<void> {
    return this.#inPartition(partition, (_tx, locked) => work(locked));
  }

  applyOnce({ partition, sequence }: LogPosition, work: (tx: PartitionTransaction) => Promise<boolean>): Promise<void> {
    return this.#inPartition(partition, async (tx, locked, appliedSequence) => {
      if (appliedSequence >= sequence || !(await work(locked))) return false;
      await tx.query(
        'UPDATE progress SET log_sequence = $2 WHERE partition = $1',
        [partition, sequence],
        'move-progress',
      );
      return true;
    });
  }

  readyToGoOn(limit: number) {
    return readyToGoOn(this.#database, limit);
  }

  untold(sinceMs: number) {
    return untoldSince(this.#database, sinceMs);
  }

  readNodes(nodeIds: readonly string[]) {
    return readNodes(this.#database, nodeIds);
  }

  async purge(before: { deletedMs: number; partsMs: number; verdictsMs: number }): Promise<void> {
    await deleteInBatches(this.#database, 'node_configs', 'deleted_at < $1', [formatIsoMs(before.deletedMs)]);
    await deleteInBatches(this.#database, 'column_parts', 'stored_at < $1', [formatIsoMs(before.partsMs)]);
    await deleteInBatches(this.#database, 'column_verdicts', UNUSED_VERDICT, [formatIsoMs(before.verdictsMs)]);
  }

  /** The partition's row is locked to the end: of two replicas with the same message the second finds it applied. */
  async #inPartition(
    partition: number,
    work: (tx: Queryable, locked: PartitionTransaction, appliedSequence: number) => Promise<boolean>,
  ): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        await tx.query('INSERT INTO progress VALUES ($1, 0) ON CONFLICT DO NOTHING', [partition], 'begin-progress');
        const { rows } = await tx.query<{ log_sequence: number; told_sequence: number }>(
          'SELECT log_sequence, told_sequence FROM progress WHERE partition = $1 FOR UPDATE',
          [partition],
          'lock-progress',
        );
        const { log_sequence: applied, told_sequence: told } = rows[0] ?? { log_sequence: 0, told_sequence: 0 };
        if (!(await work(tx, this.#inside(tx, partition, told), applied))) throw new NotNow();
      });
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
    }
  }

  #inside(tx: Queryable, partition: number, toldSequence: number): PartitionTransaction {
    return {
      ...this.#on(tx),
      toldSequence,
      setTold: async (sequence) => {
        const statement = 'UPDATE progress SET told_sequence = greatest(told_sequence, $2) WHERE partition = $1';
        await tx.query(statement, [partition, sequence], 'set-told');
      },
      verdicts: (sequences) => verdictsOf(tx, partition, sequences),
      saveVerdicts: (verdicts) => saveVerdicts(tx, partition, verdicts),
      wait: (entries) => keepWaiting(tx, partition, entries),
      waiting: (nodeIds, limit) => waitingOf(tx, nodeIds, limit),
      settled: (places) => removeSettled(tx, partition, places),
    };
  }

  #on(tx: Queryable): AlarmTransaction {
    return {
      nodes: (nodeIds) => lockNodes(tx, nodeIds),
      series: (nodeIds) => lockSeries(tx, nodeIds),
      alarms: (nodeIds, types) => lockAlarms(tx, nodeIds, types),
      raisedUnder: (sourceIds) => lockRaisedUnder(tx, sourceIds),
      saveNodes: (configs) => saveNodes(tx, configs),
      forgetNodes: (nodes) => forgetNodes(tx, nodes),
      saveParts: (parts) => saveParts(tx, parts),
      takeParts: (columnKeys) => takeParts(tx, columnKeys),
      save: (changes) => this.#save(tx, changes),
    };
  }

  async #save(tx: Queryable, { series = [], alarms = [], events = [] }: Changes): Promise<void> {
    await saveSeries(tx, series);
    await saveAlarms(tx, alarms);
    const announced = series.filter((change) => change.announce);
    const revisions = await nextRevisions(tx, announced.length + alarms.length);
    await appendOutbox(tx, [
      ...events.map((event) => this.#messages.event(event)),
      ...announced.map((change, n) => this.#messages.state(change, revisions[n] ?? 0)),
      ...alarms.map((change, n) => this.#messages.alarm(change, revisions[announced.length + n] ?? 0)),
    ]);
  }
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

async function saveParts(tx: Queryable, parts: readonly StoredPart[]): Promise<void> {
  await tx.query(
    `INSERT INTO column_parts (column_key, part, data) SELECT * FROM unnest($1::text[], $2::int[], $3::bytea[])
     ON CONFLICT DO NOTHING`,
    [parts.map((one) => one.columnKey), parts.map((one) => one.part), parts.map((one) => Buffer.from(one.data))],
  );
}

async function takeParts(tx: Queryable, columnKeys: readonly string[]): Promise<readonly StoredPart[]> {
  if (columnKeys.length === 0) return [];
  const { rows } = await tx.query<{ column_key: string; part: number; data: Buffer }>(
    `WITH taken AS (DELETE FROM column_parts WHERE column_key = ANY($1::text[]) RETURNING column_key, part, data)
     SELECT * FROM taken ORDER BY column_key, part`,
    [columnKeys],
  );
  return rows.map((row) => ({ columnKey: row.column_key, part: row.part, data: row.data }));
}
