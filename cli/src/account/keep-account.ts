import type { CreateAccountResponse } from '@catchment/contracts/nodes';
import { newApiKey } from '@catchment/ids';
import { type Waiting, waitUntilDone } from './wait-until-done.ts';

export type AccountKeys = { readonly administrationKey: string; readonly defaultKey: string };

/** The keys of an account are kept here. */
export type KeyStore = {
  /** Its entries by name. It is created when it is absent, which shows early that writing is allowed. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** Adds to the entries of the last `read`. @throws when it has changed since */
  addIfUnchanged(texts: Readonly<Record<string, string>>): Promise<void>;
  add(texts: Readonly<Record<string, string>>): Promise<void>;
};

/** An account that is made and not noted is found again by the next try; this one need not wait as long as for its making. */
const NOTE_LIMIT_MS = 120_000;

/**
 * Creates an account once and keeps its keys. They are stored before there is an account and name it from then on, so that whoever
 * repeats this after a crash, at any point, gets the account of those keys; `owner-id` shows that all is done. Waits for an
 * installation that is being started.
 * @returns undefined when it was done already
 */
export async function keepAccount(deps: {
  store: KeyStore;
  create: (keys: AccountKeys) => Promise<CreateAccountResponse>;
  waiting: Waiting;
}): Promise<CreateAccountResponse | undefined> {
  const { store, create, waiting } = deps;
  const keys = await waitUntilDone('the store of keys', () => keptKeys(store), waiting);
  if (!keys) return undefined;
  const created = await waitUntilDone('nodes', () => create(keys), waiting);
  const texts = {
    'owner-id': created.ownerId,
    ...(created.ownerActivateUrl !== undefined && { 'owner-activation-link': created.ownerActivateUrl }),
  };
  const limitMs = Math.min(waiting.limitMs, NOTE_LIMIT_MS);
  await waitUntilDone(
    'the store of keys',
    () => store.add(texts),
    { ...waiting, limitMs },
    () => true,
  );
  return created;
}

/** The keys of the account, stored before it is made; undefined: it exists, or another process fills the store. */
async function keptKeys(store: KeyStore): Promise<AccountKeys | undefined> {
  const kept = await store.read();
  if (kept['owner-id']) return undefined;
  const { 'administration-key': administrationKey, 'default-key': defaultKey } = kept;
  if (administrationKey && defaultKey) return { administrationKey, defaultKey };
  if (administrationKey || defaultKey) return undefined;
  const fresh = { administrationKey: newApiKey(), defaultKey: newApiKey() };
  await store.addIfUnchanged({ 'administration-key': fresh.administrationKey, 'default-key': fresh.defaultKey });
  return fresh;
}
