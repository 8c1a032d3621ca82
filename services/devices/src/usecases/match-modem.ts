import type { Ident } from '../domain/modem-message.ts';
import type { Match } from '../domain/registration.ts';
import { isSameSecret, selectorOf } from '../domain/secret.ts';
import type { Stored } from './ports.ts';
import type { SecretHasher } from './secret-hasher.ts';

export type MatchDeps = { readonly store: Stored; readonly secrets: SecretHasher };

/**
 * Finds a modem among all registrations of its key (docs/reference/devices.md#what-a-scout-sends): with a secret the one
 * whose secret it carries, without one the first that has none. An unknown key and a wrong secret cost the same: one
 * derivation and two lookups with a secret, one lookup without.
 * @param address whose turn it takes to have a secret checked
 * @throws DomainError unavailable when too many secrets wait to be checked
 */
export async function matchModem(
  { store, secrets }: MatchDeps,
  { deviceKey, secret }: Pick<Ident, 'deviceKey' | 'secret'>,
  address = '',
): Promise<Match | undefined> {
  if (secret === undefined) return store.findUnsecured(deviceKey);
  const given = { deviceKey, secret };
  const hash = secrets.remembered(given) ?? (await secrets.hash(secret, await store.saltOf(deviceKey), address));
  const found = await store.findBySecret(deviceKey, selectorOf(hash));
  const isRight = isSameSecret(found?.device.secretHash ?? '', hash);
  if (!found || !isRight) {
    secrets.forget(given);
    return undefined;
  }
  secrets.remember(given, hash);
  return found;
}
