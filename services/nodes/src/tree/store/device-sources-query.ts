import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';

const DEVICE_BATCH = 500;

/** The index `nodes_acquiring` has the same condition. */
const ACQUIRES = `class COLLATE "C" LIKE 'source.%' AND class <> 'source.data.Processor'
  AND (COALESCE(config -> 'transport' ->> 'class', 'None') <> 'None' OR COALESCE(config ->> 'scheduleType', 'NONE') <> 'NONE')`;

/** Reads ids of the sources that bring data by themselves, over all accounts, in batches. */
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
/** The index `nodes_station` has the same expression. */
export const STATION = `COALESCE(config -> 'transport' ->> 'siteId',
  (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId'))`;

const BY_SITE = `${STATION} = $1 AND config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium')`;
/** The receivers of Meshlium name its secret too, which distinguishes sources that have one station. */
const BY_STATION = `(${STATION} = $1 OR ${STATION} || ' ' || (config -> 'transport' ->> 'authKey') = $1)
  AND config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium')`;

/**
 * Finds the source of an active account that has a key or station; templates have neither.
 * @param transport its class
 * @returns undefined also where several have the station
 */
export async function sourceByKey(
  on: Queryable,
  transport: string,
  key: string,
  isStation: boolean,
): Promise<StoredNode | undefined> {
  const where = transport === 'Meshlium' ? BY_STATION : isStation ? BY_SITE : `${KEY} = $1`;
  const { rows } = await on.query<NodeRow>(
    `SELECT ${NODE_COLUMNS} FROM nodes n JOIN owners o USING (owner_id)
     WHERE ${where} AND config -> 'transport' ->> 'class' = $2 AND o.status = 'ACTIVE' LIMIT 2`,
    [key, transport],
    transport === 'Meshlium' ? 'source-by-meshlium' : isStation ? 'source-by-station' : 'source-by-key',
  );
  return rows.length === 1 && rows[0] ? toNode(rows[0]) : undefined;
}
