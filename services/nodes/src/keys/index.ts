export { API_KEY } from './domain/api-key.ts';
export { deleteOrphanedKeys, findKey, insertKey, keysOf, type NewKey } from './store/pg-api-keys.ts';
export { API_KEYS } from './usecases/api-keys.ts';
export { authenticate, knownSecrets } from './usecases/authenticate.ts';
export { createOwnKey, deleteOwnKey, listOwnKeys } from './usecases/own-keys.ts';
