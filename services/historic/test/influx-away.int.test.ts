import { ownInflux, until } from '@catchment/testkit';
import { jts, startHistoric } from './fixture.ts';

test('InfluxDB killed and started again while records are written: all are answered, and stored afterwards', async () => {
  await using influx = await ownInflux();
  // Memory would answer without the store.
  const historic = await startHistoric(influx.url, { recentBytes: 0 });
  try {
    const node = historic.parameter();
    const write = (n: number) => historic.write(node, jts([[n * 1_000, { v: n }]]));
    const count = async () => JSON.parse((await historic.readText(node, { limit: '100' })).text).header.recordCount;
    await write(0);
    // InfluxDB 1.6 that is killed while it makes a shard has a damaged one from then on (README).
    await until(async () => (await count()) === 1, { what: 'the shard is there' });
    for (let n = 1; n < 5; n += 1) await write(n);
    await influx.kill();
    for (let n = 5; n < 20; n += 1) expect(await write(n)).toBe(1);
    await expect(historic.readText(node, { limit: '5' })).rejects.toMatchObject({ kind: 'unavailable' });
    await influx.restart();
    await until(async () => (await count()) === 20, { what: 'all 20 are stored' });
  } finally {
    await historic.close();
  }
});
