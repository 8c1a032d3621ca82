import { setTimeout as wait } from 'node:timers/promises';
import type { CreateAccountResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';

/** Where the keys of an account are kept. */
export type KeyStore = {
  ensure(): Promise<readonly string[]>;
  add(texts: Readonly<Record<string, string>>): Promise<void>;
};

const ATTEMPTS = 120;
const STEP_MS = 1_000;

/**
 * Creates an account once and keeps its keys: nothing is done when the store has them. Waits two minutes for an
 * installation that is being started.
 * @returns undefined when they were there
 */
export async function keepAccount(deps: {
  store: KeyStore;
  create: () => Promise<CreateAccountResponse>;
  pause?: () => Promise<unknown>;
}): Promise<CreateAccountResponse | undefined> {
  const pause = deps.pause ?? (() => wait(STEP_MS));
  if ((await deps.store.ensure()).includes('administration-key')) return undefined;
  const created = await repeated(deps.create, pause, isNotThereYet);
  const keys = {
    'administration-key': created.administrationKey,
    'default-key': created.defaultKey,
    'owner-id': created.ownerId,
    ...(created.ownerActivateUrl !== undefined && { 'owner-activation-link': created.ownerActivateUrl }),
  };
  // The account exists and its keys are nowhere else: whatever stops us, try on.
  await repeated(
    () => deps.store.add(keys),
    pause,
    () => true,
  );
  return created;
}

const isNotThereYet = (error: unknown): boolean => error instanceof DomainError && error.kind === 'unavailable';

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
