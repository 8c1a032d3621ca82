import type { Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';
import type { Edges, ShownOfNode } from '../../shown/index.ts';
import type { AcquisitionWindow } from '../domain/acquisition-window.ts';
import type { CountersChange } from '../domain/applied-batch.ts';
import type { ReportedAlarms, ReportedState } from '../domain/reported-alarms.ts';
import type { ControlEnd, SessionShown } from '../domain/session.ts';

/** Records that a node shows, and what is shown of them. */
export type SavedEdges = ShownOfNode & { readonly edges: Edges; readonly updatedMs: number };

/** Stores records together with their shown values. */
export type SaveValues = (tx: Queryable, rows: readonly SavedEdges[]) => Promise<void>;

/** Only the store of records knows the values of this node, and it has not answered yet. */
export type AwaitedValues = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly updatedMs: number;
  readonly version: number;
};

/** Stores what an applied batch changes, in its transaction. */
export type BatchStore = OwnerRevisions & {
  /**
   * Notes that the messages of a partition up to this one are applied. Whoever is late waits here and learns how far others came.
   * @returns the sequence up to which they were applied before, 0 for none; undefined when this one was among them
   */
  advance(tx: Queryable, partition: number, logSequence: number): Promise<number | undefined>;
  saveValues: SaveValues;
  saveCounters(tx: Queryable, changes: readonly CountersChange[]): Promise<void>;
  /** Notes awaited values of nodes whose values are locked (`lockEdges`), so that none of the nodes is being deleted. */
  awaitValues(tx: Queryable, nodes: readonly Omit<AwaitedValues, 'version'>[]): Promise<void>;
  /** Saves windows of nodes whose values are locked (`lockEdges`), so that none of the nodes is being deleted. */
  saveWindows(tx: Queryable, windows: readonly AcquisitionWindow[]): Promise<void>;
};

/** Keeps values that wait for the store of records. */
export type AwaitedStore = OwnerRevisions & {
  /** Takes nodes whose turn it is, those that wait longest first. */
  takeAwaited(on: Queryable, limit: number): Promise<AwaitedValues[]>;
  /** @returns those that were waiting still, unchanged */
  endAwaited(tx: Queryable, nodes: readonly AwaitedValues[]): Promise<Set<string>>;
  saveValues: SaveValues;
};

/** Removes windows that have ended and returns them; those that another process works on are left to it. */
export type TakeEndedWindows = (tx: Queryable, nowMs: number, limit: number) => Promise<AcquisitionWindow[]>;

/** Stores what the alarms service reports. A report that is older than the stored state or alarm changes nothing. */
export type AlarmStore = OwnerRevisions & {
  /** Saves current states, at most one a node. */
  saveStates(tx: Queryable, states: readonly ReportedState[]): Promise<void>;
  /** Saves alarm statuses, at most one entry a node. */
  saveAlarms(tx: Queryable, reported: readonly ReportedAlarms[]): Promise<void>;
};

/** Stores what the devices service reports. A report that is older than the stored session or control changes nothing. */
export type SessionStore = OwnerRevisions & {
  /** Saves at most one entry a source. @returns the accounts of the sources that changed */
  saveSessions(tx: Queryable, sessions: readonly SessionShown[]): Promise<string[]>;
  /** Ends values that wait no longer; a newer one stays. @returns the accounts of the parameters that changed */
  endControls(tx: Queryable, ended: readonly ControlEnd[]): Promise<string[]>;
};
