import type { MoveFacts } from '../domain/move-action.ts';
import type { ShardAssignment } from '../domain/shard-assignment.ts';
import type { SeriesChange } from '../domain/shard-changes.ts';

/** The writers need the newest state of the places of series. */
export type WriterAssignments = {
  /** Finds series that are, or were, elsewhere than at `default`. */
  of(partition: number, nodeIds: readonly string[]): Promise<Map<string, ShardAssignment>>;
  /** Takes back boundaries whose time is over, since a process has died in between; begins the wait after a hand-over. */
  goOn(): Promise<void>;
  /** Notes parts that are to be copied again, of series that are moved from a shard; undefined: from any. */
  noteChanges(shard: string | undefined, changes: readonly SeriesChange[]): Promise<void>;
  /** Says that a writer has finished messages up to this one. @returns up to which sequence all have finished the partition */
  finish(partition: number, shard: string, sequence: number): Promise<number>;
};

/** The series belongs to this workspace now. */
export type NewSeries = { readonly nodeId: string; readonly workspaceId: string };

/** Assignments of new series. */
export type ShardAssignments = {
  /**
   * Assigns series that have no shard to that of their workspace. A workspace without one gets `newShard`, or the shard with the
   * fewest series; none that is drained, or that the settings lack.
   * @param refused shards whose writes are refused now: one of the others is preferred for a workspace
   */
  assign(series: readonly NewSeries[], newShard: string | undefined, refused: ReadonlySet<string>): Promise<void>;
};

export type ShardRow = {
  readonly name: string;
  readonly number: number;
  readonly isActive: boolean;
  /** The shard takes no new workspaces. */
  readonly isDrained: boolean;
  readonly workspaces: number;
  readonly series: number;
};

/** The shards besides `default`. */
export type ShardTable = {
  /** Makes new shards known. @returns the numbers of all */
  register(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns whether there is a shard besides `default`. */
  hasAny(): Promise<boolean>;
  /** Makes shards active that every replica must have heard of. */
  activate(): Promise<void>;
  /** Returns all shards, `default` among them, with what they have. */
  list(): Promise<readonly ShardRow[]>;
  isActive(shard: string): Promise<boolean>;
  workspaces(limit: number): Promise<readonly { readonly workspaceId: string; readonly shard: string }[]>;
  assign(workspaceId: string, shard: string): Promise<void>;
  /** Sets that the shard takes no new workspaces, or takes them again. @returns false: there is no such shard */
  drain(shard: string, isDrained: boolean): Promise<boolean>;
  /** @throws DomainError failed_precondition while it is in use */
  remove(shard: string): Promise<void>;
};

export type Move = {
  readonly moveId: number;
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly toShard: string;
  readonly state: 'moving' | 'done' | 'cancelled';
  readonly seriesMoved: number;
  readonly recordsCopied: number;
  readonly failure: string | undefined;
  readonly askedMs: number;
  readonly endedMs: number | undefined;
  /** The records of this many series are still at their old shard too. */
  readonly leftBehind: number;
  /** Their removal failed for this reason, and is tried again. */
  readonly cleaningFailure: string | undefined;
};

/** These series of a move change their shard together, at one sequence of each partition. */
export type Portion = MoveFacts & {
  readonly portionId: number;
  readonly fromShard: string;
  readonly toShard: string;
};

type PortionSeries = { readonly nodeId: string; readonly copiedMs: number | undefined };
type StoredChange = SeriesChange & { readonly version: number };

/** One transaction holds a move: nobody else works on it. */
export type MoveStep = {
  readonly move: Move;
  /** The portion in hand. */
  portion(): Promise<Portion | undefined>;
  /**
   * Takes the next series of the workspace that are not at the move's shard yet.
   * @returns `begun`: there is a portion now; `held`: another move holds all that are left; `none`: all of them are there
   */
  begin(limit: number): Promise<'begun' | 'held' | 'none'>;
  /** Stores where the marks are, by partition. @param limitMs how long they are good, unless the switchover has begun */
  mark(portion: Portion, sequences: readonly number[], limitMs: number): Promise<void>;
  beginCopying(portion: Portion): Promise<void>;
  uncopied(portion: Portion, limit: number): Promise<readonly PortionSeries[]>;
  copied(portion: Portion, series: readonly (PortionSeries & { readonly isCopied: boolean })[]): Promise<void>;
  changes(portion: Portion, limit: number): Promise<readonly StoredChange[]>;
  /**
   * These changes are done with, unless they have changed since.
   * @param rest where the others go on, by their index
   */
  settleChanges(portion: Portion, changes: readonly StoredChange[], rest: ReadonlyMap<number, number>): Promise<void>;
  /** Entries of the series wait from now on, for at most this long. */
  beginSwitchover(portion: Portion, limitMs: number): Promise<void>;
  takeBack(portion: Portion): Promise<void>;
  /** Gives the series to the new shard from the boundaries on. @returns false: it was too late */
  handOver(portion: Portion): Promise<boolean>;
  addCopied(records: number): Promise<void>;
  /** Leaves the move alone for a while; others go on. @param reason is shown */
  wait(reason: string, retryMs: number): Promise<void>;
  end(): Promise<void>;
};

export type ShardMoves = {
  /** @throws DomainError not_found; failed_precondition */
  ask(workspaceId: string, shard: string): Promise<Move>;
  cancel(moveId: number): Promise<Move>;
  list(): Promise<readonly Move[]>;
  /** Counts series of a move's workspace that are elsewhere, up to a limit. */
  left(move: Move): Promise<number>;
  /** Works on the oldest move that nobody works on. @returns undefined where there is none */
  step<T>(work: (step: MoveStep) => Promise<T>): Promise<T | undefined>;
  failed(moveId: number, failure: string, retryMs: number): Promise<void>;
  /**
   * Removes copies of some series that are no longer needed: they were left this long ago, or their move was cancelled.
   * @param retryMs a portion that fails is left alone for this long, others are not
   * @param remove returns why it failed
   * @returns whether there was one
   */
  clean(
    graceSeconds: number,
    retryMs: number,
    remove: (shard: string, nodeIds: readonly string[]) => Promise<string | undefined>,
  ): Promise<boolean>;
  purge(): Promise<void>;
};

export type CopyPart = Pick<SeriesChange, 'nodeId' | 'fromMs' | 'toMs' | 'clears'>;

/** Copies records as they are stored, with all that a shard knows of them. */
export type CopyRecords = (
  shards: { readonly from: string; readonly to: string },
  parts: readonly CopyPart[],
  /** A part has at most this many records; no further part is begun once all have this many together. */
  most: { readonly ofEach: number; readonly inAll: number },
  signal: AbortSignal,
) => Promise<CopyOutcome>;

export type CopyOutcome = {
  readonly records: number;
  /** These copies go on from there, by the index of the part; the others are complete. */
  readonly rest: ReadonlyMap<number, number>;
};
