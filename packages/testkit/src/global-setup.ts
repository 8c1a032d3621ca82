import { openServerBroker } from './server-broker.ts';
import { BROKER_ENV } from './server-kinds.ts';

/** Opens the broker of this run, unless `npm test` has one for all its runs; no server starts yet. @returns what stops it */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[BROKER_ENV]) return;
  const broker = await openServerBroker();
  process.env[BROKER_ENV] = broker.socket;
  return () => broker.close();
}
