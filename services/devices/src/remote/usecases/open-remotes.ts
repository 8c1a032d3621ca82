import type { RemoteSession } from '../domain/remote-session.ts';
import type { Store } from './ports.ts';

export type OpenRemotes = {
  readonly store: Pick<Store, 'remotesOf' | 'setRemoteState'>;
  readonly instanceId: string;
  /** A client has connected, or has gone: no session of the source runs meanwhile. */
  readonly inUse: (session: RemoteSession, isConnected: boolean) => Promise<void>;
  readonly now: () => number;
};

/** Returns the sessions for which this process is to hold a port open. */
export const remotesToOpen = ({ store, instanceId, now }: OpenRemotes): Promise<RemoteSession[]> =>
  store.remotesOf(instanceId, now());

/** All ports are taken: who asked for the session gets that as its failure. */
export async function noPort({ store }: OpenRemotes, session: RemoteSession): Promise<void> {
  const failure = 'no port is free for remote access: try again later';
  await store.setRemoteState(session, { state: 'CLOSED', port: null, failure });
}

/** @returns false when the session was ended meanwhile */
export const opened = ({ store }: OpenRemotes, session: RemoteSession, port: number): Promise<boolean> =>
  store.setRemoteState(session, { state: 'LISTENING', port });

/** A client has connected to the port of a session, or has gone. */
export async function served(
  { store, inUse }: OpenRemotes,
  session: RemoteSession,
  { port, isConnected }: { readonly port: number; readonly isConnected: boolean },
): Promise<void> {
  await store.setRemoteState(session, { state: isConnected ? 'CONNECTED' : 'LISTENING', port });
  await inUse(session, isConnected);
}
