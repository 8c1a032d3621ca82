import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@catchment/errors';
import type { LogEntry } from '@catchment/ingest-log';
import type { DecodedMessage, PlacedEntry, WriterShare } from '../../apply/index.ts';
import { DEFAULT_SHARD } from '../../records/index.ts';
import {
  isChangingHands,
  isFreshAt,
  isHandedOverBetween,
  isMovedFrom,
  ownerAt,
  type ShardAssignment,
} from '../domain/shard-assignment.ts';
import { changesOf } from '../domain/shard-changes.ts';
import type { WriterAssignments } from './ports.ts';

type ShareDeps = {
  readonly shard: string;
  /** Dead letters: entries that were this shard's when they came are written to where the series are now. */
  readonly isLate?: boolean;
  readonly assignments: WriterAssignments;
  /** Returns whether there is any other shard. */
  readonly isSpread: () => boolean;
};

const ASK_AGAIN_MS = 50;
/** This is longer than a switchover may last, and well within the time of a batch. */
const UNDECIDED_LIMIT_MS = 14_000;

type Assignments = ReadonlyMap<string, ShardAssignment>;

/**
 * Picks the entries of the log that are about series of one shard. Where series are is looked up after their messages were taken from the
 * log: so whoever moves some draws the boundary behind all that has been looked up (docs/adr/0042-one-sequence.md).
 */
export class ShardShare implements WriterShare {
  readonly #deps: ShareDeps;
  /** Batches with series that are being moved from here. */
  readonly #moved = new WeakSet<object>();
  /** Series of the late batch in hand were at these shards when it was begun, by partition. */
  readonly #late = new Map<number, ReadonlyMap<string, string>>();

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  async of<M extends DecodedMessage>(
    partition: number,
    messages: readonly M[],
    signal: AbortSignal,
  ): Promise<readonly M[]> {
    const { isLate, assignments, isSpread } = this.#deps;
    this.#late.delete(partition);
    if (!isSpread()) return messages;
    const nodeIds = seriesOf(messages);
    const untilMs = performance.now() + UNDECIDED_LIMIT_MS;
    for (;;) {
      const found = nodeIds.length > 0 ? await assignments.of(partition, nodeIds) : new Map<string, ShardAssignment>();
      const mine = this.#mine(messages, found);
      // A late batch waits for no boundary; by then no map anywhere says otherwise.
      const isDecided = mine && !(isLate && seriesOf(mine).some((nodeId) => isChangingHands(found.get(nodeId))));
      if (isDecided && isLate)
        this.#late.set(partition, new Map(seriesOf(mine).map((nodeId) => [nodeId, shardIn(found, nodeId)])));
      if (isDecided) return mine;
      signal.throwIfAborted();
      // The batch is taken apart, so that messages before a boundary go on: the boundary is decided when they are stored.
      if (messages.length > 1 || performance.now() > untilMs) throw unavailable('SERIES_MOVING');
      await assignments.goOn();
      await sleep(ASK_AGAIN_MS);
    }
  }

  isShared(): boolean {
    return this.#deps.isSpread();
  }

  async done(partition: number, messages: readonly DecodedMessage[], signal: AbortSignal): Promise<number> {
    const { shard, isLate, assignments } = this.#deps;
    if (this.#moved.has(messages)) {
      const changes = messages.flatMap(({ entries }) => entries.flatMap(([, entry]) => changesOf(entry)));
      await assignments.noteChanges(isLate ? undefined : shard, changes);
    }
    if (isLate) await this.#checkPlaces(partition);
    signal.throwIfAborted();
    return assignments.finish(partition, shard, lastOf(messages));
  }

  /** Returns whether series of the late batch in hand are at another shard, for which this writer is not to wait. */
  isElsewhere(partition: number): boolean {
    return [...(this.#late.get(partition)?.values() ?? [])].some((shard) => shard !== this.#deps.shard);
  }

  /** A move waits for no late batch: the batch is written again where a series has left meanwhile. */
  async #checkPlaces(partition: number): Promise<void> {
    const before = this.#late.get(partition);
    if (!before || before.size === 0) return;
    const found = await this.#deps.assignments.of(partition, [...before.keys()]);
    for (const [nodeId, shard] of before)
      if (shardIn(found, nodeId) !== shard || isChangingHands(found.get(nodeId))) throw unavailable('SERIES_MOVING');
  }

  /** @returns undefined while the shard of some entries is not decided */
  #mine<M extends DecodedMessage>(messages: readonly M[], found: Assignments): readonly M[] | undefined {
    const { shard, isLate } = this.#deps;
    let isMoved = false;
    const taken: M[] = [];
    for (const message of messages) {
      const sequence = message.firstSequence ?? message.sequence;
      const entries: PlacedEntry[] = [];
      for (const [index, entry] of message.entries) {
        const mine: string[] = [];
        for (const nodeId of seriesIn(entry)) {
          const assignment = found.get(nodeId);
          const owner = ownerAt(assignment, sequence);
          if (owner === undefined && isHandedOverBetween(assignment, shard)) return undefined;
          if (owner === shard && owner === assignment?.shard && isFreshAt(assignment)) return undefined;
          if (owner !== shard) continue;
          mine.push(nodeId);
          isMoved ||= isMovedFrom(assignment, isLate ? assignment?.shard : shard);
        }
        if (mine.length > 0) entries.push([index, onlyOf(entry, mine)]);
      }
      taken.push({ ...message, entries });
    }
    if (isMoved) this.#moved.add(taken);
    return taken;
  }
}

const shardIn = (assignments: Assignments, nodeId: string): string => assignments.get(nodeId)?.shard ?? DEFAULT_SHARD;

const seriesOf = (messages: readonly DecodedMessage[]): string[] => [
  ...new Set(messages.flatMap(({ entries }) => entries.flatMap(([, entry]) => seriesIn(entry)))),
];

const lastOf = (messages: readonly DecodedMessage[]): number =>
  messages.reduce((max, { sequence }) => Math.max(max, sequence), 0);

/** An acquisition is counted by the writer of its node. */
export function seriesIn(entry: LogEntry): readonly string[] {
  switch (entry.kind) {
    case 'column':
      return [entry.column.nodeId];
    case 'columnPart':
      return [entry.part.column.nodeId];
    case 'seriesDelete':
      return [entry.seriesDelete.nodeId];
    case 'nodesDelete':
      return entry.nodesDelete.nodeIds;
    case 'acquisition':
      return [entry.acquisition.nodeId];
  }
}

/** Narrows a deletion of nodes, which may concern several shards. */
const onlyOf = (entry: LogEntry, nodeIds: readonly string[]): LogEntry =>
  entry.kind === 'nodesDelete'
    ? { kind: 'nodesDelete', nodesDelete: { ...entry.nodesDelete, nodeIds: [...nodeIds] } }
    : entry;
