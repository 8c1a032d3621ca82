import type { Edge } from '../../shown/index.ts';

/**
 * Returns the quality code that the account shows for a record's (docs/reference/quality.md#quality-codes), so that changed settings hold
 * at once. `v` are the node's values, `o` is its account.
 */
export const shownQuality = (edge: Edge): string => {
  const stored = `v.${edge}_quality`;
  return `(CASE WHEN o.shown_codes IS NULL THEN ${stored} ELSE coalesce((o.shown_codes ->> ${stored}::text)::int, ${stored}) END)`;
};
