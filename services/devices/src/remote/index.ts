export type { RemoteSession } from './domain/remote-session.ts';
export * as remoteStatements from './store/pg-remote.ts';
export { RemoteGates } from './transport/remote-gates.ts';
export type { RemoteStored } from './usecases/ports.ts';
export { type RemoteDeps, readRemote, startRemote, stopRemote } from './usecases/remote-access.ts';
