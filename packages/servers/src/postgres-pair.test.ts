import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgresPair } from './postgres-pair.ts';

async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('what was committed is there after a fail-over, and after one back', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'catchment-pair-'));
  await chmod(dataDir, 0o711);
  await using clean = new AsyncDisposableStack();
  clean.defer(() => rm(dataDir, { recursive: true, force: true }));
  const pair = clean.use(await startPostgresPair({ dataDir, fast: true }));
  await run(pair.primary.url, 'CREATE TABLE committed (n integer)');
  const primaries = [pair.primary.url];
  for (const n of [1, 2, 3]) {
    await run(pair.primary.url, `INSERT INTO committed VALUES (${n})`);
    await expect(run(pair.standby?.url ?? '', 'INSERT INTO committed VALUES (0)')).rejects.toMatchObject({
      code: '25006',
    });
    await pair.failOver();
    await pair.rejoin();
    primaries.push(pair.primary.url);
  }
  expect(await run(pair.primary.url, 'SELECT n FROM committed ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const [first, second] = primaries;
  expect(primaries).toEqual([first, second, first, second]);
  expect(first).not.toBe(second);
});
