import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makePrivate, openState } from './state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (name: string) => ((await stat(name)).mode & 0o7777).toString(8);

test('a new data folder is its owner’s alone, and so is its state', async () => {
  const dataDir = path.join(folder, 'new', 'data');
  await openState(dataDir);
  expect([await modeOf(dataDir), await modeOf(path.join(dataDir, 'state.json'))]).toEqual(['700', '600']);
});

test.each([
  ['of an earlier version becomes so', 0o755, [], '700'],
  ['that PostgreSQL’s group may pass stays as it is', 0o710, [], '710'],
  ['in which somebody else keeps something stays as it is', 0o755, ['photos'], '755'],
  ['of a shared kind stays as it is', 0o1777, [], '1777'],
] as const)('before a start, one %s', async (_what, mode, others, expected) => {
  const dataDir = path.join(folder, 'data');
  await openState(dataDir);
  for (const name of ['logs', 'postgres', 'influx-b', ...others]) await mkdir(path.join(dataDir, name));
  await writeFile(path.join(dataDir, 'running.json'), '{}');
  await chmod(dataDir, mode);
  await makePrivate(dataDir);
  expect(await modeOf(dataDir)).toBe(expected);
});

test('whoever reads the state leaves the folder open that PostgreSQL passes through', async () => {
  const dataDir = path.join(folder, 'data');
  await openState(dataDir);
  await chmod(dataDir, 0o711);
  await openState(dataDir);
  expect(await modeOf(dataDir)).toBe('711');
});

test.each([
  ['none is said', {}, 1],
  ['it is empty', { INGEST_PARTITIONS: '' }, 1],
  ['it is said', { INGEST_PARTITIONS: '8' }, 8],
])('an installation keeps its partitions: where %s', async (_what, env, expected) => {
  expect((await openState(folder, env)).partitions).toBe(expected);
  expect((await openState(folder, { INGEST_PARTITIONS: '3' })).partitions).toBe(expected);
});

test.each(['many', '0', '65', '1.5'])('INGEST_PARTITIONS=%s is refused, and nothing is kept', async (text) => {
  const refused = openState(folder, { INGEST_PARTITIONS: text });
  await expect(refused).rejects.toThrow('INGEST_PARTITIONS must be a whole number from 1 to 64');
  expect((await openState(folder, {})).partitions).toBe(1);
});
