import type { Queryable } from '@catchment/pg';

/** @returns the sources whose day nobody has reported yet; from now on it is reported */
export async function takeAheadDays(
  tx: Queryable,
  days: readonly { readonly sourceId: string; readonly day: number }[],
): Promise<ReadonlySet<string>> {
  const sorted = [...days].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  const { rows } = await tx.query<{ node_id: string }>(
    `INSERT INTO ahead_days (node_id, day) SELECT * FROM unnest($1::text[], $2::int[]) ON CONFLICT DO NOTHING RETURNING node_id`,
    [sorted.map(({ sourceId }) => sourceId), sorted.map(({ day }) => day)],
    'take-ahead-days',
  );
  return new Set(rows.map((row) => row.node_id));
}
