import { NodeConfig } from '@catchment/contracts/nodes';
import type { Database } from '@catchment/pg';
import type { CopiedSeries } from '../domain/record-chunk.ts';
import type { Retry } from './influx-chunks.ts';

const CONFIGS_AT_ONCE = 500;

/** Yields every series, account by account, in an order that is the same each time. */
export async function* copiedSeries(database: Database, retry: Retry = (work) => work()): AsyncGenerator<CopiedSeries> {
  const { rows } = await retry(() =>
    database.query<{ node_id: string }>(
      'SELECT node_id FROM node_replica WHERE deleted_time IS NULL ORDER BY owner_id, node_id',
    ),
  );
  for (let at = 0; at < rows.length; at += CONFIGS_AT_ONCE) {
    const ids = rows.slice(at, at + CONFIGS_AT_ONCE).map(({ node_id }) => node_id);
    const { rows: configs } = await retry(() =>
      database.query<{ config: Buffer }>(
        'SELECT config FROM node_replica WHERE node_id = ANY($1::text[]) AND deleted_time IS NULL ORDER BY owner_id, node_id',
        [ids],
      ),
    );
    for (const { config } of configs) {
      const { nodeId, ownerId, series } = NodeConfig.decode(config);
      if (series) yield { nodeId, ownerId, valueType: series.valueType };
    }
  }
}
