import { deleteKey, insertKey, saveKey, touchKey } from './store/pg-api-keys.ts';
import { apiKeys } from './usecases/api-keys.ts';
import { authenticate as authenticateBy } from './usecases/authenticate.ts';
import * as ownKeys from './usecases/own-keys.ts';

export { API_KEY } from './domain/api-key.ts';
export { findKey, keysOf } from './store/keys-query.ts';
export { deleteOrphanedKeys, insertKey } from './store/pg-api-keys.ts';
export { knownSecrets } from './usecases/authenticate.ts';
export type { NewKey } from './usecases/ports.ts';

export const API_KEYS = apiKeys({ saveKey, deleteKey, insertKey });
/** `authenticate` of authenticate.ts, which notes the use of the key. */
export const authenticate = authenticateBy.bind(undefined, touchKey);
export const listOwnKeys = ownKeys.listOwnKeys.bind(undefined, API_KEYS);
export const createOwnKey = ownKeys.createOwnKey.bind(undefined, API_KEYS);
export const deleteOwnKey = ownKeys.deleteOwnKey.bind(undefined, API_KEYS);
