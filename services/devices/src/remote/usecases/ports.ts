import type { DeviceLists, RegistryStored } from '../../registry/index.ts';
import type { EventStored, Transactions } from '../../sources/index.ts';
import type { RemoteSession } from '../domain/remote-session.ts';

/** Stores which remote sessions are open. */
export interface RemoteStored {
  /** Returns the device of a source that is connected, and the process that holds its connection. */
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
}

type Stored = RemoteStored & RegistryStored & EventStored;
export type Store = Stored & DeviceLists & Transactions<Stored>;
