import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work` on behalf of an account, so that queues further inside know whose turn it takes. */
export const inAccount = <T>(account: string, work: () => T): T => storage.run(account, work);

/** Returns the account that the current work is for; undefined = the platform's own. */
export const currentAccount = (): string | undefined => storage.getStore();
