import { openServerBroker, type ServerBroker } from './server-broker.ts';
import { BROKER_ENV } from './server-kinds.ts';

const holder = globalThis as typeof globalThis & { catchmentServerBroker?: ServerBroker };

/** Opens the broker of this run, unless `npm test` has one for all its runs; no server starts yet. */
export default async function setup(): Promise<void> {
  if (process.env[BROKER_ENV]) return;
  holder.catchmentServerBroker = await openServerBroker();
  process.env[BROKER_ENV] = holder.catchmentServerBroker.socket;
}
