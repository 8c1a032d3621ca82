import { AsyncLocalStorage } from 'node:async_hooks';

/** Every log line and every outgoing call of one request has these. */
type RequestContext = { readonly requestId: string };

const storage = new AsyncLocalStorage<RequestContext>();

export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Runs `work` so that its log lines and calls carry `requestId`. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return storage.run({ requestId }, work);
}
