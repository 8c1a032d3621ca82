import type { ServerKind } from './versions.ts';

/** Really talks to a server. @throws Error while it is not ready */
export type CheckServer = (kind: ServerKind, url: string) => Promise<void>;

/** Clients are loaded by whoever checks: the process of `catchment start`, which stays, has it done by another one. */
export const checkServer: CheckServer = async (kind, url) => {
  if (kind === 'postgres') await (await import('./check-postgres.ts')).checkPostgres(url);
  else if (kind === 'nats') await (await import('./check-nats.ts')).checkNats(url);
  else await (await import('./check-influx.ts')).checkInflux(url);
};
