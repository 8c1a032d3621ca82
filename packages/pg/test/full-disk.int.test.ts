import { startPostgres } from '@catchment/servers';
import { createLogger, metricsPage } from '@catchment/telemetry';
import { smallVolume } from '@catchment/testkit';
import { Database } from '../src/index.ts';

test('a full disk of PostgreSQL is reported, and counted, once it refuses a change', async ({ skip }) => {
  await using volume = await smallVolume(160);
  if (!volume) return skip('no volume may be mounted here');
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLogger('test', { level: 'error', destination: { write } });
  const postgres = await startPostgres({ fast: true, dataDir: volume.folder });
  const database = new Database({ url: postgres.url, schema: 'public', applicationName: 'test', log });
  try {
    await database.query('CREATE UNLOGGED TABLE filling (text text)');
    const free = await volume.fill();
    const change = `INSERT INTO filling SELECT repeat(md5(n::text), 50) FROM generate_series(1, 20000) AS n`;
    await expect(database.query(change)).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'DATABASE_UNAVAILABLE',
    });
    expect(lines).toMatchObject([
      {
        msg: 'a store refuses writes',
        store: 'postgresql',
        reason: 'full',
        says: expect.stringMatching(/No space left/),
      },
    ]);
    expect((await metricsPage()).text).toContain(
      'catchment_writes_refused_total{store="postgresql",part="",reason="full"} 1',
    );
    await free();
    await database.query(change);
  } finally {
    await database.close();
    await postgres.stop();
  }
});
