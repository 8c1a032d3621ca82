import type { Scope } from '@catchment/access';
import type { NodeConfig, TransportSettings } from '@catchment/contracts/nodes';
import type { TransportName } from '@catchment/contracts/transports';
import type { NodeCall, VisibleNodes } from '@catchment/node-replica';
import type { Filter, Sort } from '@catchment/query';
import type { Contact, LastFile } from '../domain/contact.ts';
import type { Device, DeviceSource, ShownDevice, Software } from '../domain/device.ts';
import type { DeviceCommand } from '../domain/device-command.ts';
import type { FetchedFile } from '../domain/fetched-file.ts';
import type { FileOutcome } from '../domain/file-outcome.ts';
import type { Import, ImportEnd, ImportedFile } from '../domain/import.ts';
import type { Match } from '../domain/registration.ts';
import type { RemoteSession } from '../domain/remote-session.ts';
import type { SourceEvent } from '../domain/source-event.ts';
import type { FileSource } from '../domain/source-file.ts';
import type { UplinkFrame } from '../domain/uplink-frame.ts';
import type { AcquisitionNodes, AcquisitionStored } from './acquisition-ports.ts';

export type { SourceEvent } from '../domain/source-event.ts';

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

/** The newest message of a modem that is settled. */
export type AckedSeq = { readonly deviceId: string; readonly session: string; readonly seq: number };

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
  /** Counts how often it was begun, this time included, other than when something it needs was away. */
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

/** A write must know this of its source. */
export type WrittenSource = Pick<DeviceSource, 'sourceId' | 'ownerId' | 'writeMode'> & {
  /** WriteRequest.acquisition_id. */
  readonly acquisitionId?: string;
};

/**
 * Appends a JTS document to a source's series, after those of the source that came before it; resolves once the ingest log has it.
 * @param origin what the event about it names
 * @param keep when what it needs is away, it is tried again until this aborts
 */
export type WriteToSource = (
  source: WrittenSource,
  document: unknown,
  origin: string,
  keep?: AbortSignal,
) => Promise<void>;

/** Appends a JTS document. `deliveries`: messages that were joined into it. */
export type WriteBody = (
  source: WrittenSource,
  body: Buffer,
  of: { readonly origin: string; readonly deliveries: number },
) => Promise<void>;

/** A part of a file of a source. */
export type FileWrite = {
  readonly source: Pick<FileSource, '_id' | 'ownerId' | 'inSession' | 'acquisitionId'>;
  /** A JTS document. */
  readonly body: Uint8Array;
  readonly writeMode: string;
  readonly origin: string;
  /** The file has begun with another write, or with a fault: this one clears no dataAlarm. */
  readonly continues: boolean;
  /**
   * Place in a file of several writes: others follow, or this is the last, with the totals of all. Absent: the only
   * write.
   */
  readonly ofFile?: 'unfinished' | { readonly earlierRows: number; readonly parameters: number };
  /** Part of an import. @property columnIndex of a parameter or Location */
  readonly imported?: { readonly notifyOn: string; readonly columnIndex?: number | undefined };
};
export type FileWrites = {
  /** Resolves once the ingest log has it. @returns rows that are stored */
  writeFile(write: FileWrite, signal: AbortSignal): Promise<number>;
  /** Raises the dataAlarm of the source. */
  reportFault(report: { source: FileWrite['source']; fault: string }, signal: AbortSignal): Promise<void>;
};

/** A source by its push key or station, with its transport and the secrets of that, which are neither stored nor logged. */
export type PushSource = { readonly source: NodeConfig; readonly settings: TransportSettings };

export type Nodes = VisibleNodes & {
  /**
   * The settings by which files of a source are read, and the class of the node.
   * @param parser in the place of the source's own, after the checks of an update
   * @throws DomainError not_found | permission_denied | invalid_argument for the parser
   */
  fileSource(
    nodeRef: string,
    call: NodeCall,
    parser?: unknown,
  ): Promise<{ readonly class: string; readonly source: FileSource }>;
  /**
   * Returns how a source acquires, with the secrets of its transport and logger, which are neither stored nor logged.
   */
  readonly acquisition: AcquisitionNodes['acquisition'];
  /** Parameters of a data source. */
  parametersOf(source: { sourceId: string; ownerId: string }, deadlineMs: number): Promise<readonly string[]>;
  /** Parameters of a data source that have a series. */
  seriesOf(source: { sourceId: string; ownerId: string }): Promise<readonly { series: string; isActive: boolean }[]>;
  /** Parameters become active or inactive, by their series. */
  activate(
    source: { sourceId: string; ownerId: string },
    change: { readonly active: readonly string[]; readonly inactive: readonly string[] },
  ): Promise<void>;
  /** The source with this push key or station, over all accounts; undefined = none that may take data. */
  pushSource(transport: TransportName, key: string): Promise<PushSource | undefined>;
  /** The settings by which files of a source of the account are read. @throws DomainError not_found */
  fileSettings(source: { sourceId: string; ownerId: string }): Promise<FileSource>;
  /** Sources that bring data by themselves, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
};

/** The store of all accounts: each call names the account, or an object that was found in it before. */
export interface Stored extends AcquisitionStored {
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
  /** Over all accounts: the registration whose secret begins like this one. The older of two with one secret. */
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
  /** @returns devices that no other connection has taken over */
  closeConnections(ended: readonly { deviceId: string; connectionId: string }[]): Promise<string[]>;
  /** True while it is the connection of its device. */
  isRegistered(deviceId: string, connectionId: string): Promise<boolean>;
  /** A connected modem must identify itself again. @returns whether there was a connection */
  dropConnection(deviceId: string): Promise<boolean>;
  /**
   * The messages with these sequences, and all before them, are settled. The later of two messages of one device
   * counts.
   */
  saveAckedSeqs(acked: readonly AckedSeq[]): Promise<void>;
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
  /** The oldest source of each of these devices that has one. */
  sourcesShown(deviceIds: readonly string[]): Promise<{ deviceKey: string; source: SourceEvent['source'] }[]>;
  /** Sources that name a device, were not changed since `listedAt` and are not among those that exist. */
  missingSources(listedAt: Date, existing: readonly string[]): Promise<{ ownerId: string; sourceId: string }[]>;
  /** Removes what is kept for its revision only, once no message about it can come any more. */
  purgeSources(): Promise<void>;
  /** The store's own time. */
  storeTime(): Promise<Date>;

  /** Counts the imports of an account that are coming or waiting. */
  countImports(ownerId: string): Promise<number>;
  /** The import begins: all bytes of its file are there, and settings are known. */
  insertImport(of: { ownedBy: { ownerId: string; userId: string }; file: ImportedFile }): Promise<void>;
  /** Finds an import of its own user only. */
  findImport(of: { ownerId: string; userId: string; importId: string }): Promise<Import | undefined>;
  listImports(of: { ownerId: string; userId: string; limit: number }): Promise<readonly Import[]>;
  /** Saves the number of records, once it is known. */
  saveImportTotal(importId: string, records: number): Promise<void>;
  /** @returns false when it has ended before */
  endImport(importId: string, end: ImportEnd): Promise<boolean>;
  /** Nothing of a file is left, also while it is read. */
  dropFile(fileId: string): Promise<void>;

  /** Counts the files of an account that are coming or waiting. */
  countHeld(ownerId: string): Promise<number>;
  insertFile(file: { fileId: string; fileName: string; source: FileSource; segmentBytes: number }): Promise<void>;
  /** @returns whether the file is still coming */
  saveSegment(of: { fileId: string; ownerId: string; segment: number; bytes: Uint8Array }): Promise<boolean>;
  /** A file that is coming or has come. */
  findFile(
    ownerId: string,
    fileId: string,
  ): Promise<{ source: FileSource; fileName: string; isComplete: boolean } | undefined>;
  /** All of it is there: it waits for its turn, `holdSeconds` at the least. @returns false when segments are missing, or it comes no more */
  completeFile(file: { fileId: string; sizeBytes: number; segments: number; holdSeconds?: number }): Promise<boolean>;
  /** A file that was completed with `holdSeconds` waits no longer for another name. @returns false when it is being read, or was */
  releaseHeld(file: { ownerId: string; fileId: string; fileName?: string }): Promise<boolean>;
  /** Nothing of a file that is still coming is left. */
  dropComing(ownerId: string, fileId: string): Promise<void>;
  /** The same of one that has come, unless it is being read, or was. */
  dropHeld(ownerId: string, fileId: string): Promise<void>;
  /**
   * The place of the one client that may upload for a source.
   * @param insteadOf a place of its own process that is given up for it
   * @returns false: another client has it
   */
  takePlace(sourceId: string, placeId: string, insteadOf: string | undefined): Promise<boolean>;
  /** @returns those that are still theirs: others were taken by another process meanwhile */
  keepPlaces(placeIds: readonly string[]): Promise<Set<string>>;
  leavePlace(placeId: string): Promise<void>;
  /** @returns false: the source has got these files by this mail before */
  noteMail(sourceId: string, digest: Uint8Array): Promise<boolean>;
  /** Removes abandoned uploads and outcomes that were delivered. Any replica may do it at any time. */
  sweepFiles(): Promise<void>;
  /**
   * A frame of a LoRaWAN device has come.
   * @returns the time of the first one, which is this one unless it came before; whether its records are stored
   */
  noteUplink(sourceId: string, frame: UplinkFrame): Promise<{ timeMs: number; isStored: boolean }>;
  /** @param timeMs that `noteUplink` has given */
  uplinkStored(sourceId: string, frame: UplinkFrame, timeMs: number): Promise<void>;
  /** Forgets frames that no network hands over again. Any replica may do it at any time. */
  sweepUplinks(): Promise<void>;
  /** The counter of the device begins anew. */
  forgetUplinks(sourceId: string, device: string): Promise<void>;
  deleteFilesOf(sourceIds: readonly string[]): Promise<void>;
  /** Bytes of a segment. */
  readPiece(fileId: string, piece: { segment: number; from: number; length: number }): Promise<Uint8Array | undefined>;
  /**
   * Takes the next file: the oldest one of its source, in an account that does not have too many in work.
   * @param leaseId identifies whoever takes it, never used twice
   */
  claimFile(leaseId: string): Promise<FileInWork | undefined>;
  /** @throws DomainError cancelled when the file is another's, or gone */
  renewLease(fileId: string, leaseId: string, recordsDone?: number): Promise<void>;
  /** Gives a file back. @param of.counts whether this was a try: nothing that it needed was away */
  releaseFile(of: { fileId: string; leaseId: string; counts: boolean; waitSeconds: number }): Promise<void>;
  /** Its bytes are needed no longer; the outcome is kept for who waits for it. @throws DomainError cancelled */
  settleFile(fileId: string, leaseId: string, outcome: FileOutcome): Promise<void>;
  /** Replaces what was known of the last file of the source; one that no entry takes replaces none that was read. */
  saveLastFile(file: LastFile): Promise<void>;
  /** Returns what is known of the contacts of a source of the account. */
  contactOf(ownerId: string, sourceId: string): Promise<Contact>;
  /** undefined: not done, or gone. */
  readOutcome(fileId: string): Promise<FileOutcome | undefined>;

  insertCommand(command: DeviceCommand): Promise<void>;
  /** Commands of a device that wait to be sent or answered, oldest first. */
  waitingCommands(deviceId: string): Promise<DeviceCommand[]>;
  /** Commands that were not sent on this connection yet, oldest first; from here on they were. */
  takeCommands(deviceId: string, connectionId: string, nowMs: number): Promise<DeviceCommand[]>;
  /** A command that was answered: it waits no longer. */
  takeCommand(deviceId: string, commandId: string): Promise<DeviceCommand | undefined>;
  /** A device that no source names, and all that is kept of it. @returns false when a source names it */
  deleteDevice(ownerId: string, deviceId: string): Promise<boolean>;

  /** The device of a source that is connected, and the process that holds its connection. */
  liveDeviceOf(ownerId: string, sourceId: string): Promise<{ deviceId: string; instanceId: string } | undefined>;
  saveRemote(session: RemoteSession): Promise<void>;
  findRemote(ownerId: string, sourceId: string): Promise<RemoteSession | undefined>;
  deleteRemote(ownerId: string, sourceId: string): Promise<RemoteSession | undefined>;
  /**
   * Returns the sessions that a process is to hold open. Those of dead processes, and those that are over, are removed.
   */
  remotesOf(instanceId: string, nowMs: number): Promise<RemoteSession[]>;
  /** @returns false when the session was ended meanwhile */
  setRemoteState(
    of: Pick<RemoteSession, 'sourceId' | 'instanceId'>,
    to: { state: RemoteSession['state']; port: number | null; failure?: string | null },
  ): Promise<boolean>;
  /** Returns what is known of files of a source, by their keys; unknown keys are left out. */
  fetchedFiles(sourceId: string, keys: readonly string[]): Promise<FetchedFile[]>;
  /** A file was fetched. What is known of its records stays, unless its collection begins anew at another time. */
  saveFetchedFile(sourceId: string, file: FetchedFile): Promise<void>;
  /** Files that no entry takes. @returns keys that were not ignored before */
  ignoreFiles(sourceId: string, keys: readonly string[]): Promise<Set<string>>;
  /** Records of a file are in the log up to a time. */
  saveRecordsUntil(sourceId: string, key: string, untilMs: number): Promise<void>;
  /** Files that are gone from their origin. @param but keys of those that are there */
  forgetFetchedFiles(
    sourceId: string,
    files: { readonly keys: readonly string[] } | { readonly but: readonly string[] },
  ): Promise<void>;
  /** The key that a host showed to a source. */
  hostKey(sourceId: string, target: string): Promise<string | undefined>;
  saveHostKey(sourceId: string, target: string, fingerprint: string): Promise<void>;
  /** Sources are gone. */
  forgetDownloads(sourceIds: readonly string[]): Promise<void>;

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
  /**
   * Hears what changes devices in any process until the store is away or `signal` aborts: once that it listens, with nothing, then each
   * device, with its new connection if that is what has changed.
   */
  listenForDevices(onDevice: (deviceId?: string, connectionId?: string) => void, signal: AbortSignal): Promise<void>;
}
