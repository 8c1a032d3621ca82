import type { Scope } from '@catchment/access';
import type { NodeConfig, SourceTransport } from '@catchment/contracts/nodes';
import type { NodeCall, VisibleNodes } from '@catchment/node-replica';
import type { Filter, Sort } from '@catchment/query';
import type { Device, DeviceSource, ShownDevice, Software } from '../domain/device.ts';
import type { FileOutcome } from '../domain/file-outcome.ts';
import type { Match } from '../domain/registration.ts';
import type { FileSource } from '../domain/source-file.ts';

export type OpenedConnection = {
  /** Another connection of the device was registered, here or in another process. */
  readonly replaced: boolean;
  /** Highest settled sequence of the modem's session. */
  readonly ackedSeq: number;
};

/** `nodeIds`: the nodes that the filter names, by customId. */
export type DeviceQuery = {
  filter: Filter;
  sort: Sort;
  limit: number;
  skip: number;
  nodeIds: ReadonlyMap<string, string>;
};

/** The attributes that PUT /devices/:id may change. */
export type DeviceSettings = Pick<Device, 'deviceId' | 'phoneNumber' | 'secretHash' | 'config' | 'configRevision'>;

/** The devices that a call may see; those of closed sources are left out. */
export type DeviceScope = Scope & { readonly closedSourceIds: readonly string[] };

/** A file whose turn has come. */
export type FileInWork = {
  readonly fileId: string;
  readonly fileName: string;
  readonly source: FileSource;
  readonly sizeBytes: number;
  readonly segmentBytes: number;
  /** Records that the log has already. */
  readonly recordsDone: number;
  /** How often it was begun, this time included, other than when something it needs was away. */
  readonly tries: number;
  /** Unix ms. */
  readonly arrivedMs: number;
};

/** A registration as an operator sees it. */
export type Registration = {
  readonly deviceId: string;
  readonly ownerId: string;
  readonly createdMs: number;
  readonly hasSecret: boolean;
  readonly isConnected: boolean;
  readonly lastConnectedMs: number | null;
};

/** A source as the nodes service describes it. */
export type FollowedSource = DeviceSource & {
  /** null: its transport names no device. */
  readonly deviceKey: string | null;
};

/** A source before its change. */
export type SourceBefore = { readonly deviceKey: string | null; readonly workspaceId: string };

export type SourceEvent = {
  readonly source: Pick<DeviceSource, 'sourceId' | 'ownerId' | 'workspaceId' | 'sourceClass'>;
  readonly level: 'DEBUG' | 'WARNING' | 'ERROR';
  /** Absent: System. */
  readonly username?: string;
  readonly message: string;
  readonly timeMs: number;
};

/** Appends a JTS document to a source's series; resolves once the ingest log has it. */
export type WriteToSource = (source: DeviceSource, document: unknown, origin: string) => Promise<void>;

/** A part of a file of a source. */
export type FileWrite = {
  readonly source: Pick<FileSource, '_id' | 'ownerId'>;
  /** A JTS document. */
  readonly body: Uint8Array;
  readonly writeMode: string;
  readonly origin: string;
  /** The file has begun with another write, or with a fault: this one clears no dataAlarm. */
  readonly continues: boolean;
};
export type FileWrites = {
  /** Resolves once the ingest log has it. */
  writeFile(write: FileWrite, signal: AbortSignal): Promise<void>;
  /** Raises the dataAlarm of the source. */
  reportFault(report: { source: FileWrite['source']; fault: string }, signal: AbortSignal): Promise<void>;
};

export type Nodes = VisibleNodes & {
  /** The settings by which files of a source are read, and the class of the node. @throws DomainError not_found | permission_denied */
  fileSource(nodeRef: string, call: NodeCall): Promise<{ readonly class: string; readonly source: FileSource }>;
  /** Parameters of a data source. */
  parametersOf(source: { sourceId: string; ownerId: string }, deadlineMs: number): Promise<readonly string[]>;
  /** Transports of sources of an account, with their secrets, which are neither stored nor logged. Deleted sources are left out. */
  transports(ownerId: string, sourceIds: readonly string[]): Promise<readonly SourceTransport[]>;
  /** Sources that name a device, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
};

/** The store of all accounts: each call names the account, or an object that was found in it before. */
export interface Stored {
  /**
   * @param keyIsGenerated the key was made here: no other account may have it
   * @returns false when the account has the key already, or anybody a generated one
   */
  insertDevice(device: Device, keyIsGenerated?: boolean): Promise<boolean>;
  /** A device that loses its secret waits behind those that had none before (domain/registration.ts). */
  saveDevice(device: DeviceSettings, nowMs: number): Promise<void>;
  /** A device of the account, whichever its workspace. */
  findDevice(ownerId: string, deviceId: string): Promise<ShownDevice | undefined>;
  /** The same, held until the transaction ends. */
  lockDevice(ownerId: string, deviceId: string): Promise<ShownDevice | undefined>;
  /** The device that the account knows by a key, held until the transaction ends. */
  lockDeviceByKey(ownerId: string, deviceKey: string): Promise<ShownDevice | undefined>;
  moveDevice(deviceId: string, workspaceId: string): Promise<void>;
  setScheduleType(deviceId: string, scheduleType: string): Promise<void>;
  /** Devices lose their Workspaces. @returns these devices */
  leaveWorkspaces(ownerId: string, workspaceIds: readonly string[]): Promise<string[]>;
  confirmConfig(deviceId: string, revision: number): Promise<void>;
  /** Changes with everything that a list of this scope shows. */
  devicesRevision(scope: DeviceScope): Promise<string>;
  /** Says to every process, once the transaction is committed, that something about a device has changed. */
  notifyDevice(deviceId: string): Promise<void>;
  /** The same for the device that an account knows by a key, if there is one. */
  notifyDeviceOfKey(ownerId: string, deviceKey: string): Promise<void>;

  /** The salt of a key's secrets; made with the first one. */
  makeSalt(deviceKey: string, fresh: string): Promise<string>;
  /** Undefined: no registration of the key ever had a secret. */
  saltOf(deviceKey: string): Promise<string | undefined>;
  /** Over all accounts: the registration whose secret begins like this one. Of two with one secret the older one. */
  findBySecret(deviceKey: string, selector: string): Promise<Match | undefined>;
  /** Over all accounts: the registration that gets modems of this key without a secret. A generated number matches its own device only. */
  findUnsecured(deviceKey: string): Promise<Match | undefined>;
  /** All registrations of a key, over all accounts, those that modems without a secret go to first. */
  registrationsOf(deviceKey: string, limit: number): Promise<Registration[]>;
  /** The registration waits behind all others of its key. @returns false when there is no such one */
  releaseRegistration(of: { deviceKey: string; deviceId: string; nowMs: number }): Promise<boolean>;

  /** Registers the connection as the only one of its device. @returns undefined when the device is no longer who was matched */
  openConnection(opened: {
    matched: Match;
    connectionId: string;
    instanceId: string;
    session: string;
    software: Software;
    nowMs: number;
  }): Promise<OpenedConnection | undefined>;
  /** @returns false when another connection has taken the device over */
  closeConnection(deviceId: string, connectionId: string): Promise<boolean>;
  /** A connected modem must identify itself again. @returns whether there was a connection */
  dropConnection(deviceId: string): Promise<boolean>;
  /** The message with this sequence, and all before it, are settled. */
  saveAckedSeq(deviceId: string, session: string, seq: number): Promise<void>;
  heartbeat(instanceId: string): Promise<void>;
  /** Connections of dead processes, and those of this one that it does not hold. @returns their devices */
  sweepConnections(instanceId: string, heldConnectionIds: readonly string[]): Promise<string[]>;
  /** Ids of this process's connections that are still registered. */
  registeredConnections(instanceId: string): Promise<Set<string>>;

  /** @returns what was known before, or 'stale' when a newer revision is stored; undefined = it is new */
  saveSource(source: FollowedSource): Promise<SourceBefore | 'stale' | undefined>;
  /** Nodes that are gone; a late message about one of them does not revive it. @returns the keys that they named */
  deleteSources(ownerId: string, sourceIds: readonly string[]): Promise<string[]>;
  /** The sources that use a device, oldest first; those of another account or Workspace do not. */
  sourcesOfDevice(deviceId: string): Promise<DeviceSource[]>;
  /** Sources that name a device, were not changed since `listedAt` and are not among those that exist. */
  missingSources(listedAt: Date, existing: readonly string[]): Promise<{ ownerId: string; sourceId: string }[]>;
  /** Removes what is kept for its revision only, once no message about it can come any more. */
  purgeSources(): Promise<void>;
  /** The store's own time. */
  storeTime(): Promise<Date>;

  /** How many files of an account are coming or waiting. */
  countHeld(ownerId: string): Promise<number>;
  insertFile(file: { fileId: string; fileName: string; source: FileSource; segmentBytes: number }): Promise<void>;
  /** @returns whether the file is still coming */
  saveSegment(of: { fileId: string; ownerId: string; segment: number; bytes: Uint8Array }): Promise<boolean>;
  /** A file that is coming or has come. */
  findFile(
    ownerId: string,
    fileId: string,
  ): Promise<{ source: FileSource; fileName: string; isComplete: boolean } | undefined>;
  /** All of it is there: it waits for its turn. @returns false when segments are missing, or it comes no more */
  completeFile(file: { fileId: string; sizeBytes: number; segments: number }): Promise<boolean>;
  /** Nothing of a file that is still coming is left. */
  dropComing(ownerId: string, fileId: string): Promise<void>;
  /** Removes abandoned uploads and outcomes that were delivered. Any replica may do it at any time. */
  sweepFiles(): Promise<void>;
  deleteFilesOf(sourceIds: readonly string[]): Promise<void>;
  /** Bytes of a segment. */
  readPiece(fileId: string, piece: { segment: number; from: number; length: number }): Promise<Uint8Array | undefined>;
  /**
   * Takes the next file: the oldest one of its source, of an account that has not too many in work.
   * @param leaseId of whoever takes it, never used twice
   */
  claimFile(leaseId: string): Promise<FileInWork | undefined>;
  /** @throws DomainError cancelled when the file is another's, or gone */
  renewLease(fileId: string, leaseId: string, recordsDone?: number): Promise<void>;
  /** Gives a file back. @param of.counts whether this was a try: nothing that it needed was away */
  releaseFile(of: { fileId: string; leaseId: string; counts: boolean; waitSeconds: number }): Promise<void>;
  /** Its bytes are needed no longer; the outcome is kept for who waits for it. @throws DomainError cancelled */
  settleFile(fileId: string, leaseId: string, outcome: FileOutcome): Promise<void>;
  /** undefined: not done, or gone. */
  readOutcome(fileId: string): Promise<FileOutcome | undefined>;

  /** ACQUISITION events of sources (docs/reference/events.md#standard-messages). */
  recordEvents(events: readonly SourceEvent[]): Promise<void>;
}

export interface Store extends Stored {
  /** Runs `work` in one transaction; on a conflict it is run again. */
  transaction<T>(work: (stored: Stored) => Promise<T>): Promise<T>;
  /**
   * The devices of a scope in batches, filtered and sorted (docs/reference/query-arguments.md#sort-limit-and-skip).
   * @throws DomainError invalid_argument for a filter or sort that does not fit the attributes
   */
  streamDevices(scope: DeviceScope, query: DeviceQuery): AsyncIterable<ShownDevice[]>;
  /** By which the filter names nodes. */
  customIdsIn(filter: Filter): readonly string[];
  /** Hears `notifyDevice` of all processes until the store is away or `signal` aborts. */
  listenForDevices(onDevice: (deviceId: string) => void, signal: AbortSignal): Promise<void>;
}
