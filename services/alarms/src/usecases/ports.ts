import type { NodeConfig } from '@catchment/contracts/nodes';
import type { ColumnParts } from '@catchment/ingest-log';
import type { QualityTable } from '@catchment/quality';
import type { AlarmType } from '@catchment/query';
import type { Changes, NodeAlarm, StoredAlarm } from '../domain/changes.ts';
import type { Attempted } from '../domain/conditions/attempt.ts';
import type { EntryPlace, PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import type { HistoryNeed, StoredRecords } from '../domain/evaluation/stored-records.ts';
import type { KeptRecord } from '../domain/history.ts';
import type { Judgement } from '../domain/judgement.ts';
import type { Node, SeriesKind } from '../domain/node.ts';
import type { OutdatedCheck } from '../domain/outdated-check.ts';
import type { Series } from '../domain/series.ts';

export type WaitingLimits = { readonly entries: number; readonly bytes: number };
/** `isSettled`: historic will say nothing more of its message. */
export type WaitingEntry = PlacedEntry & { readonly isSettled: boolean };
/** `hasMore` names the series that wait with more. */
export type WaitingEntries = { readonly entries: readonly WaitingEntry[]; readonly hasMore: ReadonlySet<string> };
/** Historic said this of a column. */
export type Verdict = EntryPlace & { readonly nodeId: string; readonly written: Uint8Array };

/** A locked log partition. */
export interface PartitionTransaction extends AlarmTransaction {
  stagePart: ColumnParts['stagePart'];
  /** Removes the staged parts of a column from the store, and returns them in order. */
  takeParts: ColumnParts['partsOf'];
  /** Returns verdicts on a message that came before the log's reader reached it, by the index of entries. */
  verdicts(sequence: number): Promise<ReadonlyMap<number, Uint8Array>>;
  saveVerdicts(verdicts: readonly Verdict[]): Promise<void>;
  /**
   * Keeps entries that wait.
   * @throws DomainError unavailable when too many of the partition wait
   */
  wait(entries: readonly PlacedEntry[]): Promise<void>;
  /**
   * Returns the first entries that wait of each series, within `most` together, in order; one of each series in any case, and all that come
   * from the same message.
   */
  waiting(nodeIds: readonly string[], most: WaitingLimits): Promise<WaitingEntries>;
  /** Removes entries that have been evaluated, and what was said of them. */
  remove(places: readonly EntryPlace[]): Promise<void>;
}

/** One transaction. What it reads stays locked until its end; ids are locked in order, nodes before series before alarms. */
export interface AlarmTransaction {
  /** Returns nodes that are known and not deleted, with whether their source is enabled. */
  nodes(nodeIds: readonly string[]): Promise<Map<string, { node: Node; isSourceEnabled: boolean }>>;
  series(nodeIds: readonly string[]): Promise<Map<string, LockedSeries>>;
  /** Rows that there are. */
  alarms(nodeIds: readonly string[], types: readonly AlarmType[]): Promise<readonly StoredAlarm[]>;
  /** Returns alarms that are not CLEARED, of sources and all that belongs to them. */
  raisedUnder(sourceIds: readonly string[]): Promise<readonly NodeAlarm[]>;
  /** @returns the nodes that were not known by this or a higher revision, and not deleted */
  saveNodes(configs: readonly NodeConfig[]): Promise<ReadonlySet<string>>;
  /** Removes what is held of deleted nodes. */
  forgetNodes(ownerId: string, nodes: readonly { nodeId: string; sourceId: string }[]): Promise<void>;
  /**
   * Notes attempts, so that each counts once and in order.
   * @returns whether one is later than what was noted of its node and kind before
   */
  advanceAttempts(attempts: readonly NodeAttempt[]): Promise<(attempt: NodeAttempt) => boolean>;
  /** Sources that may have an outdatedAlarm from now on; the others of these nodes may not. */
  watchSources(nodes: readonly Node[]): Promise<void>;
  /** Something came to these sources: those of them that were outdated are looked at next. */
  arrived(sourceIds: readonly string[]): Promise<void>;
  /** Something changed about these sources, or about what belongs to them: those of them that are watched are looked at next. */
  lookSoon(sourceIds: readonly string[]): Promise<void>;
  /**
   * Returns nodes as they were before a change, locked against others that change them; deleted ones are `undefined`, unknown ones missing.
   */
  nodesBefore(nodeIds: readonly string[]): Promise<Map<string, Node | undefined>>;
  /** Alarms of nodes that have moved belong to another workspace. */
  moveAlarms(nodes: readonly Node[]): Promise<void>;
  judgeLater(judgements: readonly Judgement[]): Promise<void>;
  /** Judges the series of sources later too, as far as they have had states. */
  judgeSeriesOf(sources: readonly Omit<Judgement, 'afterSequence' | 'needsStore'>[]): Promise<void>;
  /** @returns the sources of whose day (days since 1970) nobody has reported that records lie ahead; from now on it is reported */
  takeAheadDays(days: readonly { readonly sourceId: string; readonly day: number }[]): Promise<ReadonlySet<string>>;
  /** Takes judgements off the list. @returns the nodes of those that were on it as they were handed on */
  takeJudgements(judgements: readonly Judgement[]): Promise<ReadonlySet<string>>;
  save(changes: Changes): Promise<void>;
}
export interface CheckTransaction extends AlarmTransaction {
  /** @param before as they were handed on: one that was to be looked at sooner meanwhile still is */
  saveChecks(before: readonly OutdatedCheck[], after: readonly OutdatedCheck[]): Promise<void>;
}
export type LockedSeries = Series & { readonly isWaiting: boolean };

export interface AlarmStore {
  transaction<T>(work: (tx: AlarmTransaction) => Promise<T>): Promise<T>;
  /** Runs like `transaction`, with the partition locked. Nothing of it is kept when `work` answers false. */
  inPartition(partition: number, work: (tx: PartitionTransaction) => Promise<boolean>): Promise<void>;
  /**
   * The same for messages of the log: nothing when the last of them has been applied; all are applied when `work` answers true.
   * @param at of the last message
   * @param work gets the sequence up to which messages have been applied before
   */
  applyOnce(
    at: LogPosition,
    work: (tx: PartitionTransaction, appliedSequence: number) => Promise<boolean>,
  ): Promise<void>;
  /** Historic has reported what it wrote up to this message of the log: what it has not said of those before it will not say any more. */
  settle(partition: number, sequence: number): Promise<void>;
  /** Returns series whose first waiting entry may be evaluated now, as far as this service knows. Looks go round among all of them. */
  readyToGoOn(limit: number): Promise<readonly WaitingSeries[]>;
  /**
   * Hands on the sources that are to be looked at, the longest due first, unless another replica is about it. What `work` does is
   * done once: a conflict is the caller's.
   * @returns how many there were
   */
  takeDueChecks(
    nowMs: number,
    limit: number,
    work: (tx: CheckTransaction, due: readonly OutdatedCheck[]) => Promise<void>,
  ): Promise<number>;
  /** The first ones to be judged, not locked, not those of `without`. */
  judgements(limit: number, without: readonly string[]): Promise<readonly Judgement[]>;
  /** Returns the nodes as they are now, without a lock; deleted nodes are `undefined`, unknown ones missing. */
  readNodes(nodeIds: readonly string[]): Promise<Map<string, Node | undefined>>;
  /**
   * Removes what is kept of nodes that were deleted long ago, and parts of columns and verdicts from before `leftOverMs` that led
   * to nothing.
   */
  purge(times: { readonly nowMs: number; readonly leftOverMs: number }): Promise<void>;
}
/** A service's attempt has ended. */
export type NodeAttempt = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly sourceId: string;
  /** Its message has this sequence in the stream, which grows with every message. */
  readonly sequence: number;
  readonly attempt: Attempted;
};
export type WaitingSeries = { readonly partition: number; readonly nodeId: string; readonly ownerId: string };
export type LogPosition = { readonly partition: number; readonly sequence: number };

/** A replica remembers this of nodes, so that most columns of the log cost one look-up. */
export interface KnownNodes {
  kind(nodeId: string): SeriesKind | 'absent' | undefined;
  /** Makes the kinds of these nodes known. @throws DomainError unavailable */
  load(nodes: readonly { nodeId: string; ownerId: string }[], signal: AbortSignal): Promise<void>;
  /** True when NORMAL has been announced and there is nothing else to evaluate. */
  isSettled(nodeId: string): boolean;
  settle(nodeId: string): void;
  unsettle(nodeId: string): void;
}

/** Knows when sources last brought something (docs/reference/alarms.md#outdated-data). */
export interface DataTimes {
  /** @returns Unix ms by source; those that are gone, and those of disabled accounts, are missing */
  of(sourceIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

/** Knows what accounts make of quality codes. */
export interface KnownQualities {
  /** Returns the settings as they were a moment ago; undefined: `load` first. */
  peek(ownerId: string): QualityTable | undefined;
  /** @throws DomainError unavailable while nodes is away and nothing was known before */
  load(ownerId: string): Promise<QualityTable>;
}

/** Reads the newest records having a value from the store of records. */
export interface StoredHistory {
  /** @returns at most `count` per node, any order */
  newest(
    nodes: readonly { nodeId: string; ownerId: string; workspaceId: string }[],
    count: number,
    signal: AbortSignal,
  ): Promise<Map<string, readonly KeptRecord[]>>;
  /** Returns the same, with those that were written before a message; null: the store of the series is away, others may be there. */
  before(needs: readonly HistoryNeed[], count: number, signal: AbortSignal): Promise<Map<string, StoredRecords | null>>;
  /**
   * Returns whether all that the log has of a series up to a sequence can be read.
   * @throws DomainError unavailable while it cannot be said
   */
  isStored(
    node: { readonly nodeId: string; readonly sourceId: string },
    sequence: number,
    signal: AbortSignal,
  ): Promise<boolean>;
}
