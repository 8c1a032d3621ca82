import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { unique } from './src/api.ts';
import { catchment, type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let folder: string;
let sourceId: string;
beforeAll(async () => {
  installation = await startInstallation();
  ({ sourceId } = await installation.api.createSite(unique('Command line')));
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-cli-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await installation?.stop();
});

/** The key of this account, and no profile of whoever runs the tests. */
const env = (more: NodeJS.ProcessEnv = {}) => ({
  CATCHMENT_URL: installation.api.url,
  CATCHMENT_KEY: installation.api.key,
  XDG_CONFIG_HOME: folder,
  ...more,
});

async function run(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const child = catchment(args, env(more));
  const [stdout, stderr] = [[] as Buffer[], [] as Buffer[]];
  child.stdout?.on('data', (chunk) => stdout.push(chunk));
  child.stderr?.on('data', (chunk) => stderr.push(chunk));
  const [code] = await once(child, 'close');
  return {
    code,
    bytes: Buffer.concat(stdout),
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  };
}
const written = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};
type Branch = { readonly _id: string; readonly name: string; readonly nodes: readonly Branch[] };

test('what a command writes, others show, read in any format, and write back', async () => {
  const csv = 'time,Level,Note\n2024-06-01 00:00,1.5,calm\n2024-06-01 00:10,,\n2024-06-01 00:20,1.7,"a, b"\n';
  const file = await written('site.csv', csv);
  const wrote = await run(['write', sourceId, file, '--tz', 'Australia/Sydney', '--wait', 'readable', '--json']);
  expect([wrote.code, wrote.stderr]).toEqual([0, '']);
  expect(JSON.parse(wrote.stdout)).toMatchObject({ node: sourceId, records: 2, requests: 1, refused: [] });

  const tree = await run(['tree', sourceId, '--json']);
  const [source] = JSON.parse(tree.stdout) as readonly Branch[];
  expect(source?.nodes.map(({ name }) => name)).toEqual(['Level', 'Note']);
  const level = source?.nodes[0]?._id ?? '';
  const found = await run(['tree', '--match', 'Level', '--json']);
  expect((JSON.parse(found.stdout) as readonly Branch[]).map(({ _id }) => _id)).toContain(level);

  const june = ['--start', '2024-06', '--end', '2024-07', '--tz', 'Australia/Sydney'];
  const json = await run(['read', sourceId, ...june, '--json']);
  expect(JSON.parse(json.stdout).data).toMatchObject([
    { ts: '2024-06-01T00:00:00.000+10:00', f: { 0: { v: 1.5 }, 1: { v: 'calm' } } },
    { ts: '2024-06-01T00:20:00.000+10:00', f: { 0: { v: 1.7 }, 1: { v: 'a, b' } } },
  ]);
  const long = await run(['read', sourceId, ...june, '--long']);
  expect(long.stdout.split('\n')[0]).toBe('time,node,name,value,units,quality,annotation');
  const days = await run(['read', level, ...june, '--aggregate', 'average', '--interval', '1D']);
  expect(days.stdout).toContain('2024-06-01T00:00:00.000+10:00,1.6');

  const parquet = path.join(folder, 'site.parquet');
  const kept = await run(['read', sourceId, ...june, '--output', parquet, '--json']);
  expect(JSON.parse(kept.stdout)).toMatchObject({ file: parquet, series: 2, format: 'PARQUET' });
  expect((await readFile(parquet)).subarray(0, 4).toString()).toBe('PAR1');
  const arrow = await run(['read', level, '--limit', '5', '--format', 'arrow']);
  // A message of an IPC stream begins with this mark.
  expect(arrow.bytes.readInt32LE(0)).toBe(-1);

  const wide = await run(['read', sourceId, ...june]);
  const copy = (await installation.api.createSite(unique('Copy'))).sourceId;
  const again = await run(['write', copy, await written('wide.csv', wide.stdout), '--wait', 'readable']);
  expect([again.code, again.stderr]).toEqual([0, '']);
  const read = await run(['read', copy, ...june]);
  const rows = (text: string) => text.split('\n').slice(3);
  expect(rows(read.stdout)).toEqual(rows(wide.stdout));
});

test('tail -f shows records as they are written, and Ctrl-C ends it', async () => {
  const { sourceId: source } = await installation.api.createSite(unique('Tail'));
  const first = await written('first.csv', 'time,Level\n2024-06-01T00:00Z,1\n');
  expect((await run(['write', source, first, '--wait', 'readable'])).code).toBe(0);
  const child = catchment(['tail', 'records', source, '-f', '--every', '1', '--json'], env());
  let [printed, failed] = ['', ''];
  child.stdout?.on('data', (chunk) => (printed += chunk));
  child.stderr?.on('data', (chunk) => (failed += chunk));
  await until(() => printed.includes('"value":1'), { what: 'the newest record is shown' });
  // The record lies before the newest: what counts is when it is written.
  const second = await written('second.csv', 'time,Level\n2023-01-01T00:00Z,2\n');
  expect((await run(['write', source, second])).code).toBe(0);
  await until(() => printed.includes('"value":2'), { what: 'the record that is written is shown' });
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect([code, failed]).toEqual([0, '']);
  expect(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { time: '2024-06-01T00:00:00.000Z', value: 1, name: 'Level' },
    { time: '2023-01-01T00:00:00.000Z', value: 2, name: 'Level' },
  ]);
});

test('events, the newest last', async () => {
  const events = await run(['tail', 'events', '--type', 'configuration', '--lines', '2', '--json']);
  const found = events.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([events.code, events.stderr, found.length]).toEqual([0, '', 2]);
  expect(found.every(({ eventType }) => eventType === 'CONFIGURATION')).toBe(true);
  expect(found[0].eventTime <= found[1].eventTime).toBe(true);
});

test('exit codes say what the caller can do', async () => {
  const ended = await Promise.all([
    run(['tree', '--json'], { CATCHMENT_KEY: 'k'.repeat(40) }),
    run(['read', 'f'.repeat(24), '--limit', '1', '--json']),
    run(['write', sourceId, await written('plain.csv', 'time,Level\n2024-06-01 00:00,1\n'), '--json']),
    run(['read', sourceId, '--json']),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([3, 4, 2, 2]);
  expect(ended.map(({ stdout }) => stdout)).toEqual(['', '', '', '']);
  const [wrongKey, unknown] = ended.map(({ stderr }) => JSON.parse(stderr).error);
  expect(wrongKey).toMatchObject({
    status: 401,
    requestId: expect.any(String),
    message: expect.stringContaining('check the key'),
  });
  expect(unknown).toMatchObject({
    status: 404,
    message: expect.stringContaining(`${'f'.repeat(24)}: there is no such node`),
  });
});
