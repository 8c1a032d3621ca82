import { notFound } from '@catchment/errors';
import { recordDisconnected } from './modem-registry.ts';
import type { Registration, Store } from './ports.ts';

type ReleaseDeps = { readonly store: Store; readonly now: () => number };

/** More than an operator can read: each is an account. */
const LISTED = 1_000;

/** Lists the registrations of a key for the operator of the installation. */
export const listRegistrations = ({ store }: Pick<ReleaseDeps, 'store'>, deviceKey: string) =>
  store.registrationsOf(deviceKey, LISTED);

/**
 * A registration that holds a key gives it up: it stays with all its settings, but modems without a secret go to every
 * other registration first, and one that is connected must identify itself again. If the device has a secret, only its
 * connection ends: no modem of another account can be taken for it.
 * @returns the registrations as they are then
 * @throws DomainError not_found
 */
export async function releaseKey(
  deps: ReleaseDeps,
  { deviceKey, deviceId }: { deviceKey: string; deviceId: string },
): Promise<Registration[]> {
  return deps.store.transaction(async (tx) => {
    if (!(await tx.releaseRegistration({ deviceKey, deviceId, nowMs: deps.now() }))) throw notFound();
    if (await tx.dropConnection(deviceId)) await recordDisconnected(deps, tx, [deviceId]);
    return tx.registrationsOf(deviceKey, LISTED);
  });
}
