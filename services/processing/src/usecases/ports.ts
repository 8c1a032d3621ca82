import type { NodeConfig } from '@catchment/contracts/nodes';
import type { PathQuery, Program, ResolvedPath } from '@catchment/contracts/programs';
import type { Rating } from '@catchment/contracts/ratings';
import type { NodeChange } from '@catchment/node-replica';
import type { OutboxMessage } from '@catchment/pg';
import type { SeriesMaker } from '../domain/circles.ts';
import type { Plan, PlanInput, PlanOutput, Zone } from '../domain/plan.ts';
import type { Analysis, ComputedKind } from '../domain/program.ts';
import type { Records } from '../domain/series.ts';
import type { Touch } from '../domain/touch.ts';
import type { BoundProgram, OutputState } from './sandbox.ts';

/** Series are read for this caller; absent, they are read with the rights of the program, which its validation has checked. */
export type ReadAs = { readonly ownerId: string; readonly token: string };

export type Range = { readonly fromMs?: number; readonly toMs?: number };

/** Results have the interval that contains each time. */
export type AggregateResults = Records & {
  readonly starts: readonly number[];
  /** Exclusive. */
  readonly ends: readonly number[];
  /** The newest record that counts has this time; absent = none counts. */
  readonly newestMs?: number;
};

/** The records of series, transformed, as the store has them now. */
export interface SeriesReader {
  /**
   * Visible records, also those without a value, ascending: the first ones of a range that has a beginning, otherwise the last ones.
   * @param range both inclusive
   */
  records(input: PlanInput, range: Range, limit: number, by: ReadBy): Promise<Records>;
  /** @param whole from all records of the intervals, not only those up to the times */
  aggregateAt(
    input: PlanInput,
    times: readonly number[],
    by: ReadBy & { readonly zone: Zone; readonly whole: boolean },
  ): Promise<AggregateResults>;
  /** Starts of the intervals from one that begins at `fromMs` until `toMs`, `limit` of them. */
  intervals(
    input: PlanInput,
    range: { readonly fromMs: number; readonly toMs: number },
    limit: number,
    by: ReadBy & { readonly zone: Zone },
  ): Promise<readonly number[]>;
  /** Times of the newest records having a value, visible or not; undefined where there is none. */
  newest(inputs: readonly PlanInput[], signal: AbortSignal): Promise<readonly (number | undefined)[]>;
  /** @param beforeMs also the newest record that was last written before this time, Unix ms */
  edges(input: PlanInput, beforeMs: number | undefined, signal: AbortSignal): Promise<SeriesEdges>;
}
/** Times of records having a value, Unix ms; absent: there is none. */
export type SeriesEdges = { readonly newestMs?: number; readonly oldestMs?: number; readonly earlierMs?: number };
export type ReadBy = {
  readonly qualityExcluded?: string | undefined;
  /** Qualities as they are stored, not as the account shows them. */
  readonly storedQuality?: boolean;
  readonly as?: ReadAs | undefined;
  readonly signal: AbortSignal;
};

/** The results for one output, ascending by time. */
export type OutputRecords = { readonly output: PlanOutput } & Records;

export interface SeriesWriter {
  /** Resolves once the ingest log has all of it. The same again changes nothing. */
  write(
    to: { readonly ownerId: string; readonly sourceId: string },
    series: readonly OutputRecords[],
    options: {
      /** Empties all outputs before. */
      readonly empties: boolean;
      /** Records before are silent; absent = all raise states and alarms. */
      readonly toldFromMs?: number;
      readonly isAcquisition: boolean;
      /** All records of this range go before, Unix ms, both inclusive. */
      readonly clears?: { readonly fromMs: number; readonly toMs: number };
      /** Times having neither value nor quality lose their record. */
      readonly removesAbsent?: boolean;
    },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Programs and their surroundings, by the nodes service. */
export interface ProgramSource {
  /** @param by absent: with its code, as a service; undefined when it is gone */
  program(ownerId: string, nodeId: string, by?: ReadAs): Promise<Program | undefined>;
  resolve(
    ownerId: string,
    nodeId: string,
    paths: readonly PathQuery[],
    grants: Analysis['grants'],
    by?: ReadAs,
  ): Promise<readonly ResolvedPath[]>;
  /** Creates what is not there. */
  ensureOutputs(
    ownerId: string,
    processorId: string,
    outputs: readonly { readonly name: string; readonly dataType: string }[],
  ): Promise<readonly NodeConfig[]>;
  /** Undefined when the node is gone, or has none. */
  rating(ownerId: string, nodeId: string): Promise<Rating | undefined>;
  node(ownerId: string, nodeId: string): Promise<NodeConfig | undefined>;
  /** Codes by the names that the account has given them. */
  qualities(ownerId: string): Promise<Readonly<Record<string, number>>>;
}

/** A program, or a rating, runs by this: a validation has made it. Equal keys mean equal results. */
export type StoredPlan = BoundPlan | RatedPlan;
export type BoundPlan = { readonly plan: Plan; readonly program: BoundProgram };
export type RatedPlan = {
  readonly plan: Plan;
  readonly rating: Rating['entries'];
  readonly program: Pick<BoundProgram, 'key'>;
};
export const isRated = (stored: StoredPlan): stored is RatedPlan => 'rating' in stored;

/** `settle`: all is in the log, and not yet known to be in the store. */
export type Phase = 'empty' | 'fill' | 'settle';

/** The store has a program, or a rating, like this. */
export type StoredProgram = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly class: string;
  readonly name: string;
  readonly kind: ComputedKind;
  readonly digest: string;
  readonly checkedDigest?: string;
  readonly basis?: string;
  readonly schedule?: { readonly intervalMs: number; readonly offsetMs: number };
  readonly planVersion?: string;
  readonly phase?: Phase;
  readonly settleSequence?: number;
  /** Records of the first input raise states and alarms from here on in a recomputation; all of them do where it is absent. */
  readonly toldFromMs?: number;
  /** Records from here on had not been evaluated before the recomputation; absent: existing records are not new. */
  readonly newsFromMs?: number;
  /** Ratings: when it, or the transform of its input, became what it is; absent: not known. */
  readonly sinceMs?: number;
  readonly doneRecords: number;
  readonly announcedMs: number;
  readonly positionMs?: number;
  readonly tickMs?: number;
  readonly acquireMs?: number;
  /** The key is the node id. */
  readonly outputs: Readonly<Record<string, NonNullable<OutputState>>>;
  readonly failures: number;
  readonly failure: string;
  readonly suspendedUntilMs?: number;
};

/** A step changes this; null takes away, absent leaves as it is. */
export type Progress = {
  readonly phase?: Phase | null;
  readonly settleSequence?: number;
  readonly toldFromMs?: number | null;
  readonly newsFromMs?: number | null;
  readonly doneRecords?: number;
  readonly announcedMs?: number;
  readonly due?: boolean;
  readonly positionMs?: number | null;
  readonly tickMs?: number | null;
  readonly acquireMs?: null;
  readonly outputs?: Readonly<Record<string, NonNullable<OutputState>>>;
  readonly outputsMs?: number;
  readonly failures?: number;
  readonly failure?: string;
  readonly suspendedUntilMs?: number | null;
  readonly retryMs?: number;
  readonly needsCheck?: boolean;
  /** The program is not validated before this. */
  readonly checkMs?: number;
};

/** A validation has found this out. */
export type Checked = {
  readonly checkedDigest: string;
  readonly followsAccount: boolean;
  readonly dependsOn: readonly string[];
  /** Absent: it is not valid. */
  readonly valid?: { readonly stored: StoredPlan; readonly basis: string; readonly tickMs?: number };
};

/** These times of an input have changed, and their results are to be computed again. */
export type Mark = Touch & { readonly markId: number };

/** The transaction holds one program; nobody else works on it meanwhile. */
export interface Step {
  readonly program: StoredProgram;
  /** The plan that `planVersion` names. */
  plan(): Promise<StoredPlan>;
  save(progress: Progress): Promise<void>;
  saveChecked(checked: Checked): Promise<void>;
  /** Nobody else saves inputs of programs until this ends. */
  lockInputs(): Promise<void>;
  /** True where one of these nodes is a processor with a program. */
  arePrograms(nodeIds: readonly string[]): Promise<boolean>;
  makersOf(series: readonly string[]): Promise<readonly SeriesMaker[]>;
  /** Returns the oldest marks of a rating. */
  marks(limit: number): Promise<readonly Mark[]>;
  removeMarks(markIds: readonly number[]): Promise<void>;
  /** Leaves the rest of a mark. */
  shortenMark(mark: Pick<Mark, 'markId' | 'fromMs' | 'timestamps'>): Promise<void>;
  announce(messages: readonly OutboxMessage[]): Promise<void>;
}

/** A loop takes programs with something new, those that are computed anew, or those to be validated. */
export type Work = 'due' | 'recompute' | 'check';

export interface Steps {
  /** Programs whose marks, or ticks, say that there is something to do. */
  absorb(nowMs: number): Promise<void>;
  /** @returns undefined when there was none to claim */
  step<T>(what: Work, nowMs: number, work: (step: Step) => Promise<T>): Promise<T | undefined>;
  /** Works outside of the transaction that has failed. */
  defer(nodeId: string, what: Work, untilMs: number): Promise<void>;
}

export type LoggedSeries = { readonly nodeId: string; readonly sourceId: string };

/** The ingest log says how far the store has it. */
export interface IngestLog {
  /** Sequence of its newest message. */
  end(): Promise<number>;
  /** True once what came for a series up to a sequence can be read. */
  isStored(series: LoggedSeries, sequence: number): Promise<boolean>;
  /** The same for some series; those that are gone are not waited for. */
  areStored(series: readonly Pick<PlanInput, 'ownerId' | 'nodeId'>[], sequence: number): Promise<boolean>;
  /** Messages that the store of a series does not have yet, over all partitions. */
  backlog(series: LoggedSeries): Promise<number>;
}

/** The store has these results. */
export type Applied = {
  readonly changed: ReadonlySet<string>;
  /** Series whose history was deleted, with the time. */
  readonly deleted: readonly { readonly nodeId: string; readonly timeMs: number }[];
};

/** Stores what becomes of programs, as other services report it. Each report may come twice. */
export interface FollowedPrograms {
  follow(changes: readonly NodeChange[]): Promise<void>;
  forget(ownerId: string, nodeIds: readonly string[]): Promise<void>;
  setAccount(ownerId: string, isDisabled: boolean): Promise<void>;
  /** @returns whether a program may have something to do; also below */
  mark(applied: Applied): Promise<boolean>;
  recomputeFrom(nodeId: string, newsFromMs: number | undefined): Promise<boolean>;
}

/** Stores what becomes of ratings, as other services report it. Each report may come twice. */
export interface FollowedRatings {
  follow(changes: readonly NodeChange[]): Promise<void>;
  /** Nodes were deleted. Ratings that they fed keep their results, and report that nothing more comes (docs/reference/node-tree.md#delete). */
  forget(nodeIds: readonly string[], timeMs: number): Promise<void>;
  /** @returns whether a rating may have something to do; a rating that becomes known later finds the change in the store */
  touch(bySeries: ReadonlyMap<string, readonly Touch[]>): Promise<boolean>;
}
