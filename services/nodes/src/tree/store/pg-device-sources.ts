import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

const DEVICE_BATCH = 500;

/** As the index `nodes_acquiring` has it. */
const ACQUIRES = `class COLLATE "C" LIKE 'source.%' AND class <> 'source.data.Processor'
  AND (COALESCE(config -> 'transport' ->> 'class', 'None') <> 'None' OR COALESCE(config ->> 'scheduleType', 'NONE') <> 'NONE')`;

/** Ids of the sources that bring data by themselves, over all accounts, in batches. */
export async function* deviceSourceIds(on: Queryable): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const { rows } = await on.query<{ node_id: string }>(
      `SELECT node_id FROM nodes WHERE ${ACQUIRES} AND node_id > $1 ORDER BY node_id LIMIT ${DEVICE_BATCH}`,
      [after],
      'device-sources',
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.node_id);
    after = last.node_id;
  }
}

const KEY = `config -> 'transport' ->> 'key'`;
/** As the index `nodes_station` has it. */
const STATION = `COALESCE(config -> 'transport' ->> 'siteId',
  (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId'))`;

/**
 * The source of an active account that has a key or station; templates have neither.
 * @param transport its class
 */
export async function sourceByKey(
  on: Queryable,
  transport: string,
  key: string,
  isStation: boolean,
): Promise<StoredNode | undefined> {
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n JOIN owners o USING (owner_id)
     WHERE ${isStation ? `${STATION} = $1 AND config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium')` : `${KEY} = $1`}
       AND config -> 'transport' ->> 'class' = $2 AND o.status = 'ACTIVE'`,
    [key, transport],
    isStation ? 'source-by-station' : 'source-by-key',
  );
  return rows[0] && toNode(rows[0]);
}
