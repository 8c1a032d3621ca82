import type { Queryable } from '@catchment/pg';

/** Forgets where nodes were that are gone for longer than `days`. */
export const forgetGone = (on: Queryable, days: number): Promise<unknown> =>
  on.query('DELETE FROM gone_nodes WHERE gone_at < now() - make_interval(days => $1)', [days], 'forget-gone');
