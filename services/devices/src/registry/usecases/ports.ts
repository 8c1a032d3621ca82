import type { Scope } from '@catchment/access';
import type { Filter, Sort } from '@catchment/query';
import type { EventStored, SourceEvent, Transactions } from '../../sources/index.ts';
import type { Device, DeviceSource, ShownDevice, Software } from '../domain/device.ts';
import type { DeviceCommand } from '../domain/device-command.ts';
import type { Match } from '../domain/registration.ts';
export type OpenedConnection = {
  /** Another connection of the device was registered, here or in another process. */
  readonly replaced: boolean;
  /** The session's highest settled sequence. */
  readonly ackedSeq: number;
};

/** `nodeIds` has the nodes that the filter names, by their customId. */
export type DeviceQuery = {
  filter: Filter;
  sort: Sort;
  limit: number;
  skip: number;
  nodeIds: ReadonlyMap<string, string>;
};

/** The newest settled message of a modem has this sequence. */
export type AckedSeq = { readonly deviceId: string; readonly session: string; readonly seq: number };

/** PUT /devices/:id may change these attributes. */
export type DeviceSettings = Pick<Device, 'deviceId' | 'phoneNumber' | 'secretHash' | 'config' | 'configRevision'>;

/** A call may see these devices; those of closed sources are left out. */
export type DeviceScope = Scope & { readonly closedSourceIds: readonly string[] };

/** An operator sees this of a registration. */
export type Registration = {
  readonly deviceId: string;
  readonly ownerId: string;
  readonly createdMs: number;
  readonly hasSecret: boolean;
  readonly isConnected: boolean;
  readonly lastConnectedMs: number | null;
};

/** The nodes service describes a source by this. */
export type FollowedSource = DeviceSource & {
  /** null: its transport names no device. */
  readonly deviceKey: string | null;
};

/** A source before its change. */
export type SourceBefore = { readonly deviceKey: string | null; readonly workspaceId: string };

/** Stores devices, their registrations, connections, sources and commands: each call names the account, or an object that was found in it before. */
export interface RegistryStored {
  /**
   * @param keyIsGenerated the key was made here: no other account may have it
   * @returns false when the account has the key already, or anybody a generated one
   */
  insertDevice(device: Device, keyIsGenerated?: boolean): Promise<boolean>;
  /** A device that loses its secret waits behind those that had none before (domain/registration.ts). */
  saveDevice(device: DeviceSettings, nowMs: number): Promise<void>;
  /** Finds a device of the account in any workspace. */
  findDevice(ownerId: string, deviceId: string): Promise<ShownDevice | undefined>;
  /** Returns the same, held until the transaction ends. */
  lockDevice(ownerId: string, deviceId: string): Promise<ShownDevice | undefined>;
  /** Returns the device that the account knows by a key, held until the transaction ends. */
  lockDeviceByKey(ownerId: string, deviceKey: string): Promise<ShownDevice | undefined>;
  moveDevice(deviceId: string, workspaceId: string): Promise<void>;
  setScheduleType(deviceId: string, scheduleType: string): Promise<void>;
  /** Devices lose their Workspaces. @returns these devices */
  leaveWorkspaces(ownerId: string, workspaceIds: readonly string[]): Promise<string[]>;
  /** Deletes a device that no source names, and all that is kept of it. @returns false when a source names it */
  deleteDevice(ownerId: string, deviceId: string): Promise<boolean>;
  confirmConfig(deviceId: string, revision: number): Promise<void>;
  /** Changes with everything that a list of this scope shows. */
  devicesRevision(scope: DeviceScope): Promise<string>;
  /** Says to every process, once the transaction is committed, that something about a device has changed. */
  notifyDevice(deviceId: string): Promise<void>;
  /** Does the same for the device that an account knows by a key, if there is one. */
  notifyDeviceOfKey(ownerId: string, deviceKey: string): Promise<void>;

  /** Returns the salt of a key's secrets; it is made with the first secret. */
  makeSalt(deviceKey: string, fresh: string): Promise<string>;
  /** Undefined: no registration of the key ever had a secret. */
  saltOf(deviceKey: string): Promise<string | undefined>;
  /** Finds the registration whose secret begins like this one, over all accounts. The older of two with one secret wins. */
  findBySecret(deviceKey: string, selector: string): Promise<Match | undefined>;
  /**
   * Finds the registration that gets modems of this key without a secret, over all accounts. A generated number matches its own device
   * only.
   */
  findUnsecured(deviceKey: string): Promise<Match | undefined>;
  /** Returns all registrations of a key, over all accounts, those that modems without a secret go to first. */
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
  /** Returns whether it is still the connection of its device. */
  isRegistered(deviceId: string, connectionId: string): Promise<boolean>;
  /** A connected modem must identify itself again. @returns whether there was a connection */
  dropConnection(deviceId: string): Promise<boolean>;
  /**
   * The messages with these sequences, and all before them, are settled. The later of two messages of one device
   * counts.
   */
  saveAckedSeqs(acked: readonly AckedSeq[]): Promise<void>;
  heartbeat(instanceId: string): Promise<void>;
  /** Ends connections of dead processes, and those of this process that it does not hold. @returns their devices */
  sweepConnections(instanceId: string, heldConnectionIds: readonly string[]): Promise<string[]>;
  /** Returns ids of this process's connections that are still registered. */
  registeredConnections(instanceId: string): Promise<Set<string>>;

  /** @returns what was known before, or 'stale' when a newer revision is stored; undefined = it is new */
  saveSource(source: FollowedSource): Promise<SourceBefore | 'stale' | undefined>;
  /** Deletes nodes that are gone; a late message about one of them does not revive it. @returns the keys that they named */
  deleteSources(ownerId: string, sourceIds: readonly string[]): Promise<string[]>;
  /** Returns the sources that use a device, oldest first; those of another account or Workspace do not. */
  sourcesOfDevice(deviceId: string): Promise<DeviceSource[]>;
  /** Returns the oldest source of each of these devices that has one. */
  sourcesShown(deviceIds: readonly string[]): Promise<{ deviceKey: string; source: SourceEvent['source'] }[]>;
  /** Returns sources that name a device, were not changed since `listedAt` and are not among those that exist. */
  missingSources(listedAt: Date, existing: readonly string[]): Promise<{ ownerId: string; sourceId: string }[]>;
  /** Removes what is kept for its revision only, once no message about it can come any more. */
  purgeSources(): Promise<void>;
  /** The store's own time. */
  storeTime(): Promise<Date>;

  insertCommand(command: DeviceCommand): Promise<void>;
  /** Returns commands of a device that wait to be sent or answered, oldest first. */
  waitingCommands(deviceId: string): Promise<DeviceCommand[]>;
  /** Commands that were not sent on this connection yet, oldest first; from here on they were. */
  takeCommands(deviceId: string, connectionId: string, nowMs: number): Promise<DeviceCommand[]>;
  /** A command that was answered waits no longer. */
  takeCommand(deviceId: string, commandId: string): Promise<DeviceCommand | undefined>;
}

/** Lists devices, and hears of their changes. */
export interface DeviceLists {
  /**
   * The devices of a scope in batches, filtered and sorted (docs/reference/query-arguments.md#sort-limit-and-skip).
   * @throws DomainError invalid_argument for a filter or sort that does not fit the attributes
   */
  streamDevices(scope: DeviceScope, query: DeviceQuery): AsyncIterable<ShownDevice[]>;
  /** Returns the customIds by which a filter names nodes. */
  customIdsIn(filter: Filter): readonly string[];
  /**
   * Hears what changes devices in any process until the store is away or `signal` aborts: once that it listens, with nothing, then each
   * device, with its new connection if that is what has changed.
   */
  listenForDevices(onDevice: (deviceId?: string, connectionId?: string) => void, signal: AbortSignal): Promise<void>;
}

export type Stored = RegistryStored & EventStored;
export type Store = Stored & DeviceLists & Transactions<Stored>;
