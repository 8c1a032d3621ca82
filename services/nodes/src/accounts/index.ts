export { ACCOUNT, ACCOUNT_TYPES } from './domain/account.ts';
export { CATEGORY } from './domain/category.ts';
export { QUALITY } from './domain/quality.ts';
export { GROUP } from './domain/user-group.ts';
export { accountsHandlers } from './transport/accounts-handlers.ts';
export { ownersHandlers } from './transport/owners-handlers.ts';
export { updateAccount } from './usecases/administer-account.ts';
export type { AccountsDeps } from './usecases/deps.ts';
export { expireTrials } from './usecases/expire-trials.ts';
