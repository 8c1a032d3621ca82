import type { SourceEvent, Transactions } from '../../sources/index.ts';
import type { Acquisition } from '../domain/acquisition.ts';
import type { ControlSet, PendingControl } from '../domain/control.ts';

/** An attempt has ended, for the alarm of its kind (docs/reference/alarms.md#conditions). */
type Attempt = {
  readonly kind: 'SESSION' | 'CONFIGURATION' | 'CONTROL';
  /** Source, or a control's parameter. */
  readonly nodeId: string;
  /** Empty: it succeeded. */
  readonly failure: string;
  readonly timeMs: number;
};

/** The setting of a control parameter has ended. */
type EndedControl = Pick<ControlSet, 'nodeId' | 'revision' | 'timeMs'> & { readonly failure: string };

/** A device that is away is to be asked by SMS to connect. */
export type DeviceCall = {
  readonly source: Pick<Acquisition, 'sourceId' | 'workspaceId' | 'sourceClass'>;
  readonly deviceKey: string;
  readonly phoneNumber: string;
  readonly timeMs: number;
};

/** Other services hear this of a source, in the transaction of its change. */
export type News = {
  /** Status, counters or facts are shown anew. */
  readonly shows?: boolean;
  readonly events?: readonly SourceEvent[];
  readonly attempts?: readonly Attempt[];
  readonly controls?: readonly EndedControl[];
  readonly calls?: readonly DeviceCall[];
};

/** Stores how sources acquire. */
export interface AcquisitionStored {
  /** Returns the source, held until the transaction ends; undefined: it is not known. */
  lockAcquisition(sourceId: string): Promise<Acquisition | 'deleted' | undefined>;
  /** @returns false when it is known already */
  insertAcquisition(acquisition: Acquisition): Promise<boolean>;
  saveAcquisition(acquisition: Acquisition, reported?: News): Promise<void>;
  reportOfSource(source: Pick<Acquisition, 'sourceId' | 'ownerId'>, reported: Omit<News, 'shows'>): Promise<void>;
  /** Deletes nodes that are gone, with their control values; a late message about one of them does not revive it. */
  deleteAcquisitions(ownerId: string, nodeIds: readonly string[]): Promise<void>;
  purgeAcquisitions(): Promise<void>;
  /** Returns those of these nodes of which an older revision, or none, is known. */
  unknownRevisions(
    nodes: readonly { readonly nodeId: string; readonly revision: number; readonly deviceKey: string }[],
  ): Promise<Set<string>>;
  /** Sources that were not changed since `listedAt` and are not among those that acquire do so no more. */
  retireAcquisitions(listedAt: Date, existing: readonly string[]): Promise<void>;

  /** Returns whether a worker has something to do: one look into an index. */
  isAcquisitionDue(nowMs: number): Promise<boolean>;
  /** Nobody else claims until the transaction ends. */
  lockClaims(): Promise<void>;
  /**
   * Returns sources whose time has come and whose device is free, those of accounts with few sessions too; held until the transaction ends.
   * @param of.perAccount sessions of an account at a time, over all replicas
   * @param of.instanceId sources whose device is connected to another process are left to that one
   */
  dueAcquisitions(of: { nowMs: number; limit: number; perAccount: number; instanceId: string }): Promise<Acquisition[]>;
  /** Returns sources that have waited since before a time, and show another status than QUEUED. */
  waitingAcquisitions(beforeMs: number, limit: number): Promise<Acquisition[]>;
  /** Returns those of these sources that have FAILED. */
  failedAcquisitions(sourceIds: readonly string[]): Promise<string[]>;
  /** The process is alive for a while. */
  renewAcquirer(instanceId: string): Promise<void>;
  dropAcquirer(instanceId: string): Promise<void>;
  /** Returns sources whose process is dead; held until the transaction ends. */
  abandonedAcquisitions(limit: number): Promise<Acquisition[]>;
  /** Returns those of these leases that still hold. */
  heldLeases(leaseIds: readonly string[]): Promise<Set<string>>;
  /** @returns false: the session has lost its source */
  countRecords(of: { sourceId: string; leaseId: string; records: number }): Promise<boolean>;
  readMemory(sourceId: string): Promise<unknown>;
  /** @returns false: the session has lost its source */
  saveMemory(of: { sourceId: string; leaseId: string; memory: string }): Promise<boolean>;
  /** Returns whether files of the source wait to be read. */
  hasWaitingFiles(sourceId: string): Promise<boolean>;
  isDeviceConnected(ownerId: string, deviceKey: string): Promise<boolean>;
  /**
   * Notes that the device of a source is called now.
   * @returns the number; undefined: it has none, or was called since `againMs`
   */
  takeCall(
    source: Pick<Acquisition, 'ownerId' | 'workspaceId' | 'deviceKey'>,
    nowMs: number,
    againMs: number,
  ): Promise<string | undefined>;
  /** Returns sources that use a device, oldest first; held until the transaction ends. */
  acquisitionsOfDevice(deviceId: string): Promise<Acquisition[]>;

  /** @returns false when a newer value, or this one, is known */
  saveControl(control: ControlSet): Promise<boolean>;
  pendingControls(sourceId: string): Promise<PendingControl[]>;
  /** @returns false when a newer value waits, or none does */
  endControl(nodeId: string, revision: number): Promise<boolean>;
}

export type Stored = AcquisitionStored;
export type Store = Stored & Transactions<Stored>;
