import type { ServerBroker } from './server-broker.ts';

/** Stops what `jest-global-setup.ts` opened. */
export default async function teardown(): Promise<void> {
  await (globalThis as typeof globalThis & { catchmentServerBroker?: ServerBroker }).catchmentServerBroker?.close();
}
