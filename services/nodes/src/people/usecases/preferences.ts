import type { ApiCaller } from '@catchment/access';
import { DomainError, invalid, notFound } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { readPreferences } from '../store/preferences-query.ts';
import type { PeopleDeps } from './deps.ts';
import type { PreferenceStore } from './ports.ts';

/** See docs/reference/limits.md. */
const KEYS_MAX = 100;
const VALUE_MAX_BYTES = 16 * 1024;
const KEY = /^[a-z][A-Za-z0-9._-]{0,63}$/;

type Deps = Pick<PeopleDeps, 'database'>;

/** Lists everything of the caller's person in the caller's account, as the text of a JSON object. */
export async function listPreferences({ database }: Deps, caller: ApiCaller): Promise<string> {
  const found = await readPreferences(database, caller);
  return `{${found.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

/** @returns JSON @throws DomainError invalid_argument, not_found */
export async function getPreference({ database }: Deps, caller: ApiCaller, key: string): Promise<string> {
  const [found] = await readPreferences(database, caller, checkedKey(key));
  if (!found) throw notFound();
  return found[1];
}

/** @param body JSON of any kind @returns it @throws DomainError invalid_argument; failed_precondition where there are too many */
export async function putPreference(
  { savePreference }: PreferenceStore,
  { database }: Deps,
  caller: ApiCaller,
  given: { readonly key: string; readonly value: Uint8Array },
): Promise<string> {
  const key = checkedKey(given.key);
  const value = JSON.stringify(parseJsonBody(given.value));
  if (Buffer.byteLength(value) > VALUE_MAX_BYTES)
    throw invalid('INVALID_ATTRIBUTE', `body: must be at most ${VALUE_MAX_BYTES / 1024} KiB of JSON`);
  const isKept = await database.transaction((tx) => savePreference(tx, caller, { key, value, max: KEYS_MAX }));
  if (isKept) return value;
  const message = `key: there are ${KEYS_MAX} preferences already; delete one that is not needed any more`;
  throw new DomainError('failed_precondition', 'TOO_MANY_PREFERENCES', message);
}

/** @throws DomainError invalid_argument, not_found */
export async function deletePreference(
  store: PreferenceStore,
  { database }: Deps,
  caller: ApiCaller,
  key: string,
): Promise<void> {
  if (!(await store.deletePreference(database, caller, checkedKey(key)))) throw notFound();
}

function checkedKey(key: string): string {
  if (KEY.test(key)) return key;
  throw invalid(
    'INVALID_ARGUMENT',
    'key: must be a lower-case letter and up to 63 letters, digits, dots, hyphens or underscores',
  );
}
