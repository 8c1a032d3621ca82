import { notFound } from '@catchment/errors';
import type { Database } from '@catchment/pg';
import { dropConnection } from '../store/pg-connections.ts';
import { type Registration, registrationsOf, releaseRegistration } from '../store/pg-registrations.ts';
import { recordDisconnected } from './modem-registry.ts';

export type ReleaseDeps = { readonly database: Database; readonly now: () => number };

/** More than an operator can read: each is an account. */
const LISTED = 1_000;

/** Who has registered a key, for the operator of the installation. */
export const listRegistrations = ({ database }: Pick<ReleaseDeps, 'database'>, deviceKey: string) =>
  registrationsOf(database, deviceKey, LISTED);

/**
 * A registration that holds a key gives it up: it stays with all its settings, but modems without a secret go to every other
 * registration first, and one that is connected must identify itself again. Of a device with a secret only the connection ends:
 * no modem of another account can be taken for it.
 * @returns the registrations as they are then
 * @throws DomainError not_found
 */
export async function releaseKey(
  deps: ReleaseDeps,
  { deviceKey, deviceId }: { deviceKey: string; deviceId: string },
): Promise<Registration[]> {
  return deps.database.transaction(async (tx) => {
    if (!(await releaseRegistration(tx, { deviceKey, deviceId, nowMs: deps.now() }))) throw notFound();
    if (await dropConnection(tx, deviceId)) await recordDisconnected(deps, tx, deviceId);
    return registrationsOf(tx, deviceKey, LISTED);
  });
}
