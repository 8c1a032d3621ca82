import { startInflux } from '@catchment/servers';
import { createLogger, metricsPage } from '@catchment/telemetry';
import { smallVolume } from '@catchment/testkit';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';

test('a full disk of InfluxDB is reported, and counted, once it refuses records', async ({ skip }) => {
  await using volume = await smallVolume(24);
  if (!volume) return skip('no volume may be mounted here');
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLogger('test', { level: 'error', destination: { write } });
  const influx = await startInflux({ dataDir: volume.folder });
  const connection = new InfluxConnection({ url: influx.url, database: 'full', log, shard: 'west' });
  const { signal } = new AbortController();
  const write100 = (n: number) =>
    connection.write(
      Array.from({ length: 100 }, (_, i) => `a,n=x v=${Math.sin(n * 100 + i)} ${n * 100 + i}`).join('\n'),
      signal,
    );
  let free = async () => {};
  try {
    await write100(0);
    free = await volume.fill();
    await expect(Array.fromAsync({ length: 200 }, async (_, n) => write100(n + 1))).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'INFLUX_UNAVAILABLE',
    });
    expect(lines).toMatchObject([
      {
        msg: 'a store refuses writes',
        store: 'influxdb',
        part: 'west',
        reason: 'full',
        says: expect.stringMatching(/no space left/),
      },
    ]);
    expect((await metricsPage()).text).toContain(
      'catchment_writes_refused_total{store="influxdb",part="west",reason="full"} 1',
    );
  } finally {
    await free();
    connection.close();
    await influx.stop();
  }
});
