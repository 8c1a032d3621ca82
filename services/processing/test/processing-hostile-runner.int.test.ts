// These things hold around the programs: a runner has no rights, is ended when it misbehaves, and does not outlive the
// service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { confined } from '../src/runner/confine.ts';
import { type Death, type RunnerEnded, RunnerProcess } from '../src/runner/runner-process.ts';
import { openSandbox, START_MS, valuesOf } from './processing-language-harness.ts';

const RUNNER = path.join(import.meta.dirname, '../src/runner');
const FRAMES = JSON.stringify(path.join(RUNNER, 'frames.ts'));
let folder: string;
const ended: RunnerProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-runner-'));
  // A runner may have another account.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const runner of ended) runner.end('closed');
  await rm(folder, { recursive: true });
});

/** Makes a runner with another program in the place of ours. */
async function runnerOf(script: string): Promise<{ runner: RunnerProcess; said: string[] }> {
  const file = path.join(folder, `${ended.length}.mts`);
  await writeFile(
    file,
    `import { writeSync, readFileSync, writeFileSync } from 'node:fs';\nimport { encodeFrame } from ${FRAMES};\n${script}`,
  );
  const said: string[] = [];
  const runner = new RunnerProcess((text) => said.push(text), file);
  ended.push(runner);
  return { runner, said };
}
const HELLO = "writeSync(1, encodeFrame({ type: 'hello' })); setInterval(() => {}, 1000);\n";
const deathOf = (work: Promise<unknown>): Promise<Death | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error as RunnerEnded).death,
  );
const ask = (runner: RunnerProcess, limitMs = 100) =>
  runner.request({ type: 'analyse' }, '{}', { limitMs }, ({ head }) => {
    if (head.type !== 'analysed') throw new Error('something else');
    return true;
  });

/** Process id of the runner that was started last. */
const pidOf = (logged: ReturnType<typeof openSandbox>['logged']): number =>
  Number(logged.flatMap(({ facts }) => ('pid' in facts ? [facts.pid] : [])).at(-1));

test('a runner has no rights and no environment', async () => {
  const { runner } = await runnerOf(`
    import net from 'node:net';
    const tries = {
      read: () => readFileSync('/etc/passwd'),
      repository: () => readFileSync(${JSON.stringify(path.join(RUNNER, '../../../../package.json'))}),
      environment: () => readFileSync('/proc/self/environ'),
      write: () => writeFileSync('/tmp/catchment-runner', 'x'),
      spawn: async () => (await import('node:child_process')).execFileSync('true'),
      worker: async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
      connect: () => new Promise((resolve, reject) => net.connect(4222, '127.0.0.1').on('error', reject).on('connect', resolve)),
      listen: () => new Promise((resolve, reject) => net.createServer().on('error', reject).listen(0, resolve)),
      resolve: async () => (await import('node:dns/promises')).lookup('localhost'),
      inspector: async () => (await import('node:inspector')).open(0),
      addon: () => process.dlopen({ exports: {} }, '/x.node'),
      code: () => new Function('return 1')(),
    };
    const results = { environment_: Object.keys(process.env), folder: process.cwd() };
    for (const [name, attempt] of Object.entries(tries)) {
      try { await attempt(); results[name] = 'allowed'; } catch (error) { results[name] = error.code ?? error.name; }
    }
    writeSync(1, encodeFrame({ type: 'hello' }));
    process.stdin.on('data', () => writeSync(1, encodeFrame({ type: 'analysed' }, JSON.stringify(results))));`);
  await runner.started();
  let results: unknown;
  await runner.request({ type: 'analyse' }, '', { limitMs: 1_000 }, ({ body }) => {
    results = JSON.parse(body);
    return true;
  });
  const denied = 'ERR_ACCESS_DENIED';
  expect(results).toEqual({
    environment_: [],
    folder: '/',
    read: denied,
    repository: denied,
    environment: denied,
    write: denied,
    spawn: denied,
    worker: denied,
    connect: denied,
    listen: denied,
    resolve: denied,
    inspector: denied,
    addon: 'ERR_DLOPEN_DISABLED',
    code: 'EvalError',
  });
});

/**
 * Reads what the operating system says of a process: its accounts and groups, its capabilities, and whether it can get
 * more.
 */
async function rightsOf(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const line = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1]?.trim() ?? '';
  const numbers = (name: string) => line(name).split(/\s+/).filter(Boolean).map(Number);
  return {
    uids: [...new Set(numbers('Uid'))],
    gids: [...new Set(numbers('Gid'))],
    groups: numbers('Groups'),
    canGetMore: line('NoNewPrivs') !== '1',
    capabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((set) => BigInt(`0x${line(set)}`)),
  };
}

(process.platform === 'linux' ? test : test.skip)('a runner can get no more rights than it has', async () => {
  const { runner } = await runnerOf(HELLO);
  await runner.started();
  expect((await rightsOf(runner.pid)).canGetMore).toBe(false);
});

const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip;

asRoot(
  'a runner that root starts has an account of its own without rights: it signals nobody and becomes nobody else',
  async () => {
    const { runner: other } = await runnerOf(HELLO);
    await other.started();
    const { runner } = await runnerOf(`
    const tries = {
      parent: () => process.kill(process.ppid, 0),
      endParent: () => process.kill(process.ppid, 'SIGTERM'),
      init: () => process.kill(1, 0),
      otherRunner: () => process.kill(${other.pid}, 'SIGKILL'),
      root: () => process.setuid(0),
      rootGroup: () => process.setgid(0),
      effective: () => process.seteuid(0),
      groups: () => process.setgroups([0]),
      nobody: () => process.setuid(65534),
    };
    const results = {};
    for (const [name, attempt] of Object.entries(tries)) {
      try { attempt(); results[name] = 'allowed'; } catch (error) { results[name] = error.code; }
    }
    writeSync(1, encodeFrame({ type: 'hello' }));
    process.stdin.on('data', () => writeSync(1, encodeFrame({ type: 'analysed' }, JSON.stringify(results))));`);
    await runner.started();
    let results: Record<string, string> = {};
    await runner.request({ type: 'analyse' }, '', { limitMs: 1_000 }, ({ body }) => {
      results = JSON.parse(body);
      return true;
    });
    expect(new Set(Object.values(results))).toEqual(new Set(['EPERM']));
    expect(other.isAlive).toBe(true);
    const [mine, others] = [await rightsOf(runner.pid), await rightsOf(other.pid)];
    for (const { uids, gids, groups, capabilities } of [mine, others]) {
      expect([uids.length, gids.length, groups]).toEqual([1, 1, []]);
      expect(uids[0]).toBeGreaterThan(61_000);
      expect(gids[0]).toBeGreaterThan(61_000);
      expect(new Set(capabilities)).toEqual(new Set([0n]));
    }
    expect(mine.uids).not.toEqual(others.uids);
  },
);

asRoot(
  'where other accounts cannot read it, it has root’s without a capability, and says what would help',
  async () => {
    // The owner alone may pass through a folder of mkdtemp.
    const closed = await mkdtemp(path.join(os.tmpdir(), 'catchment-closed-'));
    const { advice, args } = confined(process.execPath, [], [path.join(closed, 'main.ts')]);
    expect(advice).toContain(closed);
    expect(advice).toContain('chmod o+x');
    expect(args).toEqual(expect.arrayContaining(['--no-new-privs', '--bounding-set=-all', '--clear-groups']));
    expect(args.join(' ')).not.toContain('--reuid');
    await rm(closed, { recursive: true });
  },
);

test.each<[what: string, script: string, death: Death]>([
  [
    'says something that nobody asked for',
    `${HELLO}setTimeout(() => writeSync(1, encodeFrame({ type: 'part' })), 50);`,
    'protocol',
  ],
  [
    'answers something else',
    `${HELLO}process.stdin.on('data', () => writeSync(1, encodeFrame({ type: 'done' })));`,
    'protocol',
  ],
  ['writes what is no frame', `${HELLO}process.stdin.on('data', () => writeSync(1, 'x'.repeat(100)));`, 'protocol'],
  ['works without an answer', `${HELLO}process.stdin.on('data', () => { for (;;); });`, 'stuck'],
  [
    'takes too much memory',
    `${HELLO}const all = []; process.stdin.on('data', () => setInterval(() => all.length < 6 && all.push(Buffer.alloc(1 << 27, 1)), 20));`,
    'memory',
  ],
  ['ends', `${HELLO}process.stdin.on('data', () => process.exit(0));`, 'exit'],
])('a runner that %s is ended', async (_what, script, death) => {
  const { runner } = await runnerOf(script);
  await runner.started();
  expect(await deathOf(ask(runner, death === 'memory' ? 30_000 : 100))).toBe(death);
  expect(runner.isAlive).toBe(false);
  expect(await deathOf(ask(runner))).toBe(death);
});

test('what a runner says on stderr is reported, bounded', async () => {
  const { runner, said } = await runnerOf("writeSync(2, 'x'.repeat(100000)); process.exit(1);");
  expect(await deathOf(runner.started())).toBe('exit');
  await until(() => said.length > 0, { what: 'it is reported' });
  expect(said.map(({ length }) => length)).toEqual([4_000]);
});

test('a runner that is killed from outside loses no run and doubles none', async () => {
  const { run, logged, close } = openSandbox();
  const values = Array.from({ length: 3_000 }, (_, n) => n);
  const code = "for (var i = 0; i < 5000; i++) Math.sqrt(i); return (THIS.currentValue || 0) + NUMBER('A')";
  const whole = await run(code, { inputs: { A: { values } } });
  let isKilled = false;
  // A quick machine is through before the first of these times.
  for (const afterMs of [60, 15, 4]) {
    const again = run(code, { inputs: { A: { values } } });
    const timer = setTimeout(() => {
      isKilled = process.kill(pidOf(logged), 'SIGKILL');
    }, afterMs);
    const result = await again;
    clearTimeout(timer);
    expect([result.failed, valuesOf(result)]).toEqual([0, valuesOf(whole)]);
    if (isKilled) break;
  }
  expect(isKilled).toBe(true);
  expect(logged.filter(({ text }) => text === 'runner ended').length).toBeGreaterThan(0);
  await close();
});

test.each([
  ['a text is read', 'analyse'],
  ['a decoder works', 'call'],
])('a runner that is killed from outside while %s is no fault of the text', async (_, what) => {
  const { sandbox, analyse, logged, close } = openSandbox();
  await analyse('return 1');
  const decoder = { kind: 'decoder' as const, code: 'function decodeUplink() { return { data: { v: 1 } }; }' };
  const call = {
    ...decoder,
    argument: JSON.stringify({ fPort: 1, recvTime: 0 }),
    bytes: new Uint8Array(1),
    nowMs: START_MS,
    limitMs: 200,
  };
  const asked = what === 'analyse' ? analyse('return 2') : sandbox.call('account', call, new AbortController().signal);
  process.kill(pidOf(logged), 'SIGKILL');
  expect(await asked).toEqual(what === 'analyse' ? { references: [], grants: [] } : ['{"data":{"v":1}}']);
  expect(logged.filter(({ text }) => text === 'runner ended')).toHaveLength(1);
  await close();
});

test('accounts take turns: a long batch of one does not keep the others waiting', async () => {
  const { run, close } = openSandbox();
  const times = Array.from({ length: 100 }, (_, n) => START_MS + n);
  let isFirst = false;
  // A quick machine may do the batch in one turn: then it gets four times as much.
  for (const steps of [3e6, 1.2e7, 4.8e7]) {
    const slow = `var end = 0; while (end < ${steps}) end++; return 1`;
    let isDone = false;
    const long = run(slow, { times, account: 'long', limitMs: 5_000 }).then((result) => {
      isDone = true;
      return result;
    });
    expect(valuesOf(await run('return 2', { account: 'short' }))).toEqual([2]);
    isFirst = !isDone;
    expect((await long).records).toHaveLength(100);
    if (isFirst) break;
  }
  expect(isFirst).toBe(true);
  await close();
});

test('a closed sandbox has no children left, and refuses', async () => {
  const { run, logged, close } = openSandbox();
  await run('return 1');
  const pid = pidOf(logged);
  await close();
  await expect(run('return 1')).rejects.toMatchObject({ kind: 'unavailable' });
  expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
});

test('a runner ends when the service that started it is killed', async () => {
  const script = `
    import { RunnerProcess } from ${JSON.stringify(path.join(RUNNER, 'runner-process.ts'))};
    const runner = new RunnerProcess(() => {});
    await runner.started();
    console.log(runner.pid);`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  expect(pid).toBeGreaterThan(0);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const isAlive = () => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => !isAlive(), { what: 'the runner has ended' });
});
