import type { Queryable } from '@catchment/pg';

/** Three times within it a process says that its clients are there. */
const HELD = `interval '15 seconds'`;

export async function takePlace(
  on: Queryable,
  sourceId: string,
  placeId: string,
  insteadOf: string | undefined,
): Promise<boolean> {
  const { rowCount } = await on.query(
    `INSERT INTO upload_places AS p (source_id, place_id, until_time) VALUES ($1, $2, clock_timestamp() + ${HELD})
     ON CONFLICT (source_id) DO UPDATE SET place_id = excluded.place_id, until_time = excluded.until_time
     WHERE p.until_time < clock_timestamp() OR p.place_id = $3`,
    [sourceId, placeId, insteadOf ?? null],
    'take-upload-place',
  );
  return rowCount === 1;
}

export async function keepPlaces(on: Queryable, placeIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await on.query<{ place_id: string }>(
    `UPDATE upload_places SET until_time = clock_timestamp() + ${HELD} WHERE place_id = ANY($1::text[]) RETURNING place_id`,
    [placeIds],
    'keep-upload-places',
  );
  return new Set(rows.map((row) => row.place_id));
}

export async function leavePlace(on: Queryable, placeId: string): Promise<void> {
  await on.query('DELETE FROM upload_places WHERE place_id = $1', [placeId], 'leave-upload-place');
}
