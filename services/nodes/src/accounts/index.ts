export { accountsHandlers } from './transport/accounts-handlers.ts';
export { ownersHandlers } from './transport/owners-handlers.ts';
export { expireTrials } from './usecases/expire-trials.ts';
