import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller, KeyedRequest } from '@catchment/access';

const storage = new AsyncLocalStorage<KeyedRequest>();

/** Runs `work` so that the store knows which request it is part of, where that has a key of its own; others cost nothing. */
export const inKeyedRequest = <T>(caller: Caller, work: () => T): T =>
  caller.kind === 'api' && caller.keyed !== undefined ? storage.run(caller.keyed, work) : work();

/** Returns the request with a key that the current work is part of; undefined = none. */
export const currentKeyedRequest = (): KeyedRequest | undefined => storage.getStore();
