import { hang, until } from '@catchment/testkit';
import { apiOf, makeParameter } from '../api.ts';
import type { Installation } from '../installation.ts';
import { atMost, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';

/** Reads answer as if all InfluxDBs were there (docs/reference/guarantees.md#several-influxdbs). */
const SHOWN_SECONDS = 2;
const TIMES = 40;
const FIRST_MS = Date.UTC(2024, 0, 1);
const OTHER = 'b';

export const SHARDS_ARGS = ['--influxdbs', '2'];

/** Measures the time until a record of one InfluxDB can be read, while another InfluxDB answers nobody and its records come all the time. */
export async function measureShards(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const parameterOn = async (shard: string) => {
    const { workspaceId, parameterId } = await makeParameter(api, shard);
    await installation.command(['shards', 'assign', workspaceId, shard]);
    return parameterId;
  };
  const [well, hung] = [await parameterOn('default'), await parameterOn(OTHER)];
  const write = (id: string, value: number) =>
    api('PUT', `/nodes/${id}/historic/now`, { value, timestamp: new Date(FIRST_MS + value * 1_000).toISOString() });
  const newest = async (id: string) => {
    const { data } = await api<{ data: { f: Record<string, { v: number }> }[] }>(
      'GET',
      `/nodes/${id}/historic?limit=1`,
    );
    return data[0]?.f[0]?.v;
  };
  const shown = async (id: string, value: number) => {
    const beganMs = performance.now();
    await write(id, value);
    await until(async () => (await newest(id)) === value, { everyMs: 10, what: `record ${value} can be read` });
    return performance.now() - beganMs;
  };
  await shown(well, 0);
  await shown(hung, 0);
  const goOn = await hang((await installation.pids())[`influx-${OTHER}`] ?? 0);
  const took: number[] = [];
  try {
    for (let n = 1; n <= Math.max(10, Math.ceil(TIMES * scale)); n += 1) {
      await write(hung, n);
      took.push(await shown(well, n));
    }
  } finally {
    await goOn();
  }
  const median = Math.round(quantile(took, 0.5));
  const what = `a record until it can be read while another InfluxDB hangs, the slowest of ${took.length} (median ${median} ms)`;
  return [atMost(what, Math.max(...took) / 1_000, 's', SHOWN_SECONDS)];
}
