import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const MIB = 1024 * 1024;
const SHARED_OPTIONS = '--max-semi-space-size=32';
const OWN_OPTIONS = path.join(import.meta.dirname, '../../services/nodes/node-options');
let folder: string;

/** Makes an image with two services, whose node prints its arguments. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'catchment-service-'));
  const write = async (file: string, content: string) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  };
  for (const name of ['nodes', 'render']) await write(`app/services/${name}/src/service.ts`, '');
  await write('app/services/nodes/node-options', await readFile(OWN_OPTIONS, 'utf8'));
  await write('app/services/nodes/environment', 'MALLOC_ARENA_MAX=2\n');
  await write('app/services/node-options', `${SHARED_OPTIONS}\n`);
  await write('app/services/environment', 'MALLOC_ARENA_MAX=4\n');
  await write('bin/node', '#!/bin/sh\necho "$MALLOC_ARENA_MAX $@"\n');
  const script = await readFile(path.join(import.meta.dirname, 'catchment-service'), 'utf8');
  await write(
    'bin/catchment-service',
    script.replace('cd /app', `cd ${folder}/app`).replaceAll('/sys/fs/cgroup', `${folder}/cgroup`),
  );
  for (const file of ['node', 'catchment-service']) await chmod(path.join(folder, 'bin', file), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

type Environment = Readonly<Record<string, string>>;
async function nodeArguments(cgroup: Environment, env: Environment = {}, args: readonly string[] = ['nodes']) {
  await rm(path.join(folder, 'cgroup'), { recursive: true, force: true });
  for (const [file, content] of Object.entries(cgroup)) {
    await mkdir(path.dirname(path.join(folder, 'cgroup', file)), { recursive: true });
    await writeFile(path.join(folder, 'cgroup', file), `${content}\n`);
  }
  const PATH = `${path.join(folder, 'bin')}:${process.env.PATH}`;
  return (await promisify(execFile)('catchment-service', args, { env: { PATH, ...env } })).stdout;
}

const heapOf = (args: string) => Number(/--max-old-space-size=(\d+) /.exec(args)?.[1]);

test.each([
  ['at the usual limit', { 'memory.max': `${512 * MIB}` }, 1],
  ['at twice of it', { 'memory.max': `${1024 * MIB}` }, 2],
  ['at half of it', { 'memory.max': `${256 * MIB}` }, 0.5],
  ['by cgroup 1', { 'memory/memory.limit_in_bytes': `${2048 * MIB}` }, 4],
  ['without a limit', { 'memory.max': 'max' }, 1],
  ['without a limit by cgroup 1', { 'memory/memory.limit_in_bytes': '9223372036854771712' }, 1],
  ['without cgroups', {}, 1],
])('the heap of nodes grows and shrinks with the limit of its memory: %s', async (_what, cgroup, factor) => {
  const options = await readFile(OWN_OPTIONS, 'utf8');
  expect(heapOf(await nodeArguments(cgroup))).toBe(heapOf(options) * factor);
});

test('a heap of NODE_OPTIONS holds, and the other options stay', async () => {
  const args = await nodeArguments({}, { NODE_OPTIONS: '--max-old-space-size=900' });
  expect(args).not.toContain('old-space');
  expect(args).toMatch(/^2 --max-semi-space-size=\d+ --import @catchment\/telemetry\/start services\/main\.ts nodes$/m);
});

test('services of one process have options and environment of their own, and what the environment says holds', async () => {
  const together = ['nodes', 'render'];
  const run = `--import @catchment/telemetry/start services/main.ts nodes render\n`;
  expect(await nodeArguments({}, {}, together)).toBe(`4 ${SHARED_OPTIONS} ${run}`);
  expect(await nodeArguments({}, { MALLOC_ARENA_MAX: '8' }, together)).toBe(`8 ${SHARED_OPTIONS} ${run}`);
});

test('all services are loaded for what is compiled once', async () => {
  const log = path.join(folder, 'warm');
  await writeFile(path.join(folder, 'bin/node'), `#!/bin/sh\necho "$@" >>${log}\n`);
  await nodeArguments({}, {}, ['--warm']);
  expect((await readFile(log, 'utf8')).split('\n')[0]).toMatch(/services\/main\.ts nodes render$/);
});

test('the usual limit is that of the chart', async () => {
  const values = parse(await readFile(path.join(import.meta.dirname, '../chart/catchment/values.yaml'), 'utf8'));
  const script = await readFile(path.join(import.meta.dirname, 'catchment-service'), 'utf8');
  expect(`${/^usual_mib=(\d+)$/m.exec(script)?.[1]}Mi`).toBe(values.workload.resources.limits.memory);
  expect(values.nodes.resources).toBeUndefined();
});
