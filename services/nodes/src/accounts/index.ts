export { accountsHandlers } from './transport/accounts-handlers.ts';
export { ownersHandlers } from './transport/owners-handlers.ts';
export type { AccountsDeps } from './usecases/deps.ts';
export { expireTrials } from './usecases/expire-trials.ts';
