import type { Match } from '../domain/registration.ts';
import { isSameSecret, selectorOf } from '../domain/secret.ts';
import type { Stored } from './ports.ts';
import { type GivenSecret, hashOfMade, mayBeMade, type SecretHasher } from './secret-hasher.ts';

type MatchDeps = { readonly store: Stored; readonly secrets: SecretHasher };

/**
 * Returns the stored form of the secret that a modem sends. A key without secrets costs the same: a derivation, and
 * before it a lookup without a derivation where the secret looks like those made here.
 * @param address whose turn it takes
 * @throws DomainError unavailable when too many secrets wait to be checked
 */
export async function hashOf({ store, secrets }: MatchDeps, given: GivenSecret, address = ''): Promise<string> {
  const { deviceKey, secret } = given;
  const known = secrets.remembered(given);
  if (known !== undefined) return known;
  if (!mayBeMade(secret)) return secrets.hash(secret, () => store.saltOf(deviceKey), address);
  const salt = await store.saltOf(deviceKey);
  const made = hashOfMade(secret, salt);
  return (await withSecret(store, deviceKey, made)) ? made : secrets.hash(secret, async () => salt, address);
}

/**
 * Finds a modem among all registrations of its key (docs/reference/devices.md#what-a-scout-sends): with a secret the one
 * whose secret it carries, without one the first that has none. An unknown key and a wrong secret cost the same.
 * @param hash of its secret; undefined without one
 */
export async function matchModem(
  { store, secrets }: MatchDeps,
  { deviceKey, secret }: { readonly deviceKey: string; readonly secret: string | undefined },
  hash: string | undefined,
): Promise<Match | undefined> {
  if (secret === undefined || hash === undefined) return store.findUnsecured(deviceKey);
  const given = { deviceKey, secret };
  const found = await withSecret(store, deviceKey, hash);
  if (found) secrets.remember(given, hash);
  else secrets.forget(given);
  return found;
}

async function withSecret(store: Stored, deviceKey: string, hash: string): Promise<Match | undefined> {
  const found = await store.findBySecret(deviceKey, selectorOf(hash));
  return isSameSecret(found?.device.secretHash ?? '', hash) ? found : undefined;
}
