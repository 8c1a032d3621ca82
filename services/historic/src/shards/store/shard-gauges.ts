import type { Database } from '@catchment/pg';
import { atMostEvery, gauge, storeBytes } from '@catchment/telemetry';
import type { ShardStore } from './shard-router.ts';

const ASK_EVERY_MS = 4_000;
const PING_LIMIT_MS = 1_500;
/** InfluxDB sums up the files of each of its shards for it. */
const ASK_DISK_EVERY_MS = 60_000;
const DISK_LIMIT_MS = 10_000;

const up = gauge({
  name: 'catchment_shard_up',
  help: 'Whether an InfluxDB answers, by the name of its shard; `default` is that of INFLUX_URL.',
  labels: ['shard'],
});
const workspaces = gauge({
  name: 'catchment_shard_workspaces',
  help: 'Workspaces whose new series go to a shard; absent without INFLUX_SHARDS.',
  labels: ['shard'],
});
const moves = gauge({
  name: 'catchment_shard_moves',
  help: 'Moves of workspaces between shards, of the last month, by their state.',
  labels: ['state'],
});
const logUsed = gauge({
  name: 'catchment_shard_log_used',
  help: 'Part of the ingest log that messages for a shard use, as a share of what they may use: from 1 on its writes are refused, unless this holds for all shards; absent without INFLUX_SHARDS.',
  labels: ['shard'],
});

/** Reports the state of the shards at each scrape. @returns a function that ends it */
export function reportShards(
  database: Database,
  stores: ReadonlyMap<string, Pick<ShardStore, 'connection'>>,
  { isSpread, logUsed: used }: { isSpread: () => boolean; logUsed: () => ReadonlyMap<string, number> },
): () => void {
  const pings = atMostEvery(ASK_EVERY_MS, () =>
    Promise.all(
      [...stores].map(async ([shard, { connection }]) => {
        const isUp = await connection.check(AbortSignal.timeout(PING_LIMIT_MS)).then(
          () => 1,
          () => 0,
        );
        return [{ shard }, isUp] as const;
      }),
    ),
  );
  const disks = atMostEvery(ASK_DISK_EVERY_MS, async () => {
    const signal = AbortSignal.timeout(DISK_LIMIT_MS);
    const asked = [...stores].map(async ([part, { connection }]) => {
      const bytes = await connection.diskBytes(signal).catch(() => undefined);
      return bytes === undefined ? [] : [[{ store: 'influxdb', part }, bytes] as const];
    });
    return (await Promise.all(asked)).flat();
  });
  const counts = (sql: string) =>
    atMostEvery(ASK_EVERY_MS, async () => {
      if (!isSpread()) return [];
      const { rows } = await database.query<{ name: string; count: number }>(sql);
      return rows;
    });
  const assigned = counts('SELECT shard AS name, count(*) AS count FROM workspace_shards GROUP BY shard');
  const asked = counts(
    `SELECT s.name, count(m.move_id) AS count FROM unnest(ARRAY['moving', 'done', 'cancelled']) AS s (name)
     LEFT JOIN shard_moves m ON m.state = s.name GROUP BY s.name`,
  );
  const ends = [
    up.from(pings),
    storeBytes.from(disks),
    logUsed.from(() => [...used()].map(([shard, share]) => [{ shard }, share] as const)),
    workspaces.from(async () => (await assigned()).map(({ name, count }) => [{ shard: name }, count] as const)),
    moves.from(async () => (await asked()).map(({ name, count }) => [{ state: name }, count] as const)),
  ];
  return () => {
    for (const end of ends) end();
  };
}
