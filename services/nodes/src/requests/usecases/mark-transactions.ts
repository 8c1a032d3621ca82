import { currentKeyedRequest } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import type { MarkDone } from './ports.ts';

/** Each transaction of a request with a key notes, as a part of it, that the request is carried out; all others are as they were. */
export function markTransactions(markDone: MarkDone, database: Database): void {
  database.beforeCommit((tx) => {
    const keyed = currentKeyedRequest();
    return keyed?.isOnce ? markDone(tx, keyed) : undefined;
  });
}
