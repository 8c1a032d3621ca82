import { REMOTE_LIMITS, textWithin } from '@catchment/egress';

type Statistics = {
  readonly name?: string;
  readonly tags?: { database?: string };
  readonly values?: { diskBytes?: number };
};

/**
 * Reads what a database of InfluxDB 1.x keeps on its disk, bytes, by its own statistics.
 * @param base without a slash at its end
 * @returns undefined where it does not say so, like InfluxDB 2 and others
 * @throws LimitReached where it says more than can be read
 */
export async function influxDiskBytes(
  base: string,
  database: string,
  { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const response = await fetch(`${base}/debug/vars`, { headers, signal });
  const text = await textWithin(response.body, REMOTE_LIMITS.statistics);
  if (!response.ok || !text.startsWith('{')) return undefined;
  const shards = Object.values(JSON.parse(text) as Record<string, Statistics>).filter(({ name }) => name === 'shard');
  const series = shards.filter(({ tags }) => tags?.database === database);
  return shards.length === 0 ? undefined : series.reduce((sum, { values }) => sum + (values?.diskBytes ?? 0), 0);
}
