import { setTimeout as wait } from 'node:timers/promises';
import type { CreateAccountResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { newApiKey } from '@catchment/ids';

/** Where the keys of an account are kept. */
export type KeyStore = {
  /** What is in it, by name. Made when it is not there yet, which shows early that we may write. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** Adds to what `read` found. @throws when somebody else changed it since */
  addIfUnchanged(texts: Readonly<Record<string, string>>): Promise<void>;
  add(texts: Readonly<Record<string, string>>): Promise<void>;
};

const ATTEMPTS = 120;
const STEP_MS = 1_000;

/**
 * Creates an account once and keeps its keys. They are stored before there is an account and name it from then on, so that whoever
 * repeats this after a crash, at any point, gets the account of those keys; `owner-id` tells that all is done. Waits two minutes for
 * an installation that is being started.
 * @returns undefined when it was done already
 */
export async function keepAccount(deps: {
  store: KeyStore;
  create: (keys: { administrationKey: string; defaultKey: string }) => Promise<CreateAccountResponse>;
  pause?: () => Promise<unknown>;
}): Promise<CreateAccountResponse | undefined> {
  const pause = deps.pause ?? (() => wait(STEP_MS));
  const kept = await deps.store.read();
  if (kept['owner-id']) return undefined;
  let { 'administration-key': administrationKey, 'default-key': defaultKey } = kept;
  if (!administrationKey || !defaultKey) {
    // Somebody's own Secret: theirs to fill.
    if (administrationKey || defaultKey) return undefined;
    [administrationKey, defaultKey] = [newApiKey(), newApiKey()];
    await deps.store.addIfUnchanged({ 'administration-key': administrationKey, 'default-key': defaultKey });
  }
  const keys = { administrationKey, defaultKey };
  const created = await repeated(() => deps.create(keys), pause, isNotThereYet);
  const texts = {
    'owner-id': created.ownerId,
    ...(created.ownerActivateUrl !== undefined && { 'owner-activation-link': created.ownerActivateUrl }),
  };
  await repeated(
    () => deps.store.add(texts),
    pause,
    () => true,
  );
  return created;
}

const isNotThereYet = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'unavailable' || error.kind === 'deadline_exceeded');

async function repeated<T>(
  work: () => Promise<T>,
  pause: () => Promise<unknown>,
  isWorthIt: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthIt(error)) throw error;
    }
    await pause();
  }
}
