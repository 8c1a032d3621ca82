import type { Queryable } from '@catchment/pg';
import { KEPT_DAYS } from './domain/feed-cursor.ts';
import { forgetGone } from './store/pg-gone-nodes.ts';

export { nodeFeedHandlers } from './transport/feed-handlers.ts';

/** Forgets nodes that are gone for longer than any cursor goes back. */
export const sweepGone = ({ database }: { readonly database: Queryable }): Promise<unknown> =>
  forgetGone(database, KEPT_DAYS + 1);
