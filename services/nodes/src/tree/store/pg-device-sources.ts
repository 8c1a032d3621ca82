import type { Queryable } from '@catchment/pg';

const DEVICE_BATCH = 500;

/** Ids of the sources whose transport names a device, over all accounts, in batches. */
export async function* deviceSourceIds(on: Queryable): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const { rows } = await on.query<{ node_id: string }>(
      `SELECT node_id FROM nodes WHERE config -> 'transport' ->> 'deviceId' IS NOT NULL AND node_id > $1
       ORDER BY node_id LIMIT ${DEVICE_BATCH}`,
      [after],
      'device-sources',
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.node_id);
    after = last.node_id;
  }
}
