import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { counter } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { Readiness, serveHealth } from './index.ts';

test.each([
  ['starting', (_r: Readiness) => {}, 503],
  ['started without a dependency missing', (r: Readiness) => r.started(), 200],
  [
    'a dependency away',
    (r: Readiness) => {
      r.started();
      r.add('store', () => Promise.reject(new Error('away')));
    },
    503,
  ],
  [
    'draining',
    (r: Readiness) => {
      r.started();
      r.draining();
    },
    503,
  ],
])('readyz while %s', async (_what, arrange, status) => {
  const readiness = new Readiness();
  arrange(readiness);
  const server = await serveHealth({ host: '127.0.0.1', port: 0, readiness });
  expect((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status).toBe(status);
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
  await server.close();
});

test('/metrics reports what the process counts and how its dependencies are, OpenMetrics where it is accepted', async () => {
  const readiness = new Readiness();
  readiness.add('store', () => Promise.reject(new Error('away')));
  readiness.add('log', () => undefined);
  const server = await serveHealth({ host: '127.0.0.1', port: 0, readiness });
  counter({ name: 'catchment_examples_total', help: 'Examples.' }).add({}, 2);
  const url = `http://127.0.0.1:${server.port}/metrics`;
  const plain = await fetch(url);
  expect(plain.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await plain.text();
  for (const line of [
    'catchment_dependency_up{dependency="store"} 0',
    'catchment_dependency_up{dependency="log"} 1',
    'catchment_ready 0',
    'catchment_examples_total 2',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
  expect(text).toMatch(/^catchment_event_loop_longest_delay_seconds /m);
  expect(text).toMatch(/^catchment_event_loop_delay_seconds_bucket\{le="0\.5"\} /m);
  expect(text).toMatch(/^target_info\{.*service_namespace="catchment"/m);

  const open = await fetch(url, { headers: { accept: 'application/openmetrics-text;version=1.0.0' } });
  expect(open.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  const openText = await open.text();
  expect(openText).toContain('# TYPE catchment_examples counter\ncatchment_examples_total 2\n');
  expect(openText.endsWith('# EOF\n')).toBe(true);
  // The library's own renaming leaves the other format alone.
  expect(await (await fetch(url)).text()).toContain('\ncatchment_examples_total 2\n');
  await server.close();
});

/** The default `scrape_timeout` of Prometheus. */
const SCRAPE_LIMIT_MS = 10_000;

test('/metrics of a process whose dependency hangs comes within the time of a scrape, and reports that it is down', async () => {
  const readiness = new Readiness();
  readiness.add('store', () => new Promise(() => {}));
  readiness.started();
  const server = await serveHealth({ host: '127.0.0.1', port: 0, readiness });
  const scrape = async () => {
    const signal = AbortSignal.timeout(SCRAPE_LIMIT_MS);
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`, { signal })).text();
    expect(text).toContain('\ntarget_info{');
    return text.split('\n');
  };
  // A source that a scrape waits for in vain is on a later one.
  for (const line of ['catchment_dependency_up{dependency="store"} 0', 'catchment_ready 0'])
    await until(async () => (await scrape()).includes(line), { what: line });
  await server.close();
});

/** `runService(name, start)` of a script: a process with one service that uses nothing; `compose(waves)`: with several. */
const PRELUDE = `import { openService, runServices, serviceConfig } from '@catchment/service';
  const serviceOf = (name, start, settings = () => ({})) =>
    openService(serviceConfig({ name, uses: { peers: [], server: false }, settings }), start);
  const compose = (waves) => runServices(waves.map((wave) => wave.map((one) => serviceOf(...one))), process.env);
  const runService = (name, start) => compose([[[name, start]]]);\n`;

function run(script: string, env: NodeJS.ProcessEnv = {}) {
  return spawn(process.execPath, ['--input-type=module', '-e', PRELUDE + script], {
    cwd: import.meta.dirname,
    env: { ...process.env, HEALTH_PORT: '0', SERVICE_TOKEN_SECRET: 'x'.repeat(32), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

test('SIGTERM turns readiness off, then closes in the reverse order of opening, and exits 0', async () => {
  const child = run(`
    await runService('render', async (scope) => {
      scope.defer(() => process.send('closed first opened'));
      scope.defer(async () => process.send('ready ' + (await scope.readiness.report()).ready));
      setInterval(() => {}, 1000);
    });`);
  const messages: unknown[] = [];
  child.on('message', (message) => {
    messages.push(message);
    if (message === 'ready') child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  expect({ code, messages }).toEqual({ code: 0, messages: ['ready', 'ready false', 'closed first opened'] });
});

test.each([
  ['an exception', `throw new Error('a mistake')`],
  ['a rejected promise', `Promise.reject(new Error('a mistake'))`],
  ['an error event', `new (await import('node:events')).EventEmitter().emit('error', new Error('a mistake'))`],
])('%s that nobody handles is logged whole, drains, and exits 1', async (_what, mistake) => {
  const child = run(`
    await runService('render', async (scope) => {
      scope.defer(async () => process.send('ready ' + (await scope.readiness.report()).ready));
      process.once('message', () => setImmediate(async () => { ${mistake} }));
      setInterval(() => {}, 1000);
    });`);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const messages: unknown[] = [];
  child.on('message', (message) => {
    messages.push(message);
    if (message === 'ready') child.send('make it');
  });
  const [code] = await once(child, 'close');
  expect({ code, messages }).toEqual({ code: 1, messages: ['ready', 'ready false'] });
  const lines = out.split('\n').filter((line) => line.includes('uncaught exception') && line.includes('"err"'));
  expect(lines).toEqual([expect.stringContaining('a mistake')]);
});

test('a start that fails exits 78, names the variable and closes what was open', async () => {
  const child = run(`import { envReader } from '@catchment/config';
    await runService('render', async (scope) => { scope.defer(() => process.send('closed')); const r = envReader({}); r.text('DATABASE_URL'); r.done(); });`);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'close');
  expect(code).toBe(78);
  expect(messages).toEqual(['closed']);
  expect(out).toContain('DATABASE_URL must be set');
});

const NEVER = 'await new Promise(() => setInterval(() => {}, 1000));';
const NEVER_COMES = 'waits for what never comes';
const STEPS = {
  [NEVER_COMES]: NEVER,
  'waits and heeds its signal': `await (await import('node:timers/promises')).setTimeout(600_000, undefined, { signal: scope.signal });`,
  'opens one thing after the other for ever': `for (;;) { await new Promise((done) => setTimeout(done, 5)); scope.defer(() => {}); }`,
};
const ENDINGS: Record<
  string,
  { env?: NodeJS.ProcessEnv; end: (child: ReturnType<typeof run>) => unknown; code: number }
> = {
  SIGTERM: { end: (child) => child.kill('SIGTERM'), code: 0 },
  SIGINT: { end: (child) => child.kill('SIGINT'), code: 0 },
  'the end of its parent': { end: (child) => child.disconnect(), code: 0 },
  // Long enough for a machine that stands still while the start begins.
  'its deadline': { env: { START_LIMIT_SECONDS: '4' }, end: () => {}, code: 1 },
};
const CASES = [
  ...Object.keys(STEPS).map((step) => [step, 'SIGTERM'] as const),
  ...['SIGINT', 'the end of its parent', 'its deadline'].map((ending) => [NEVER_COMES, ending] as const),
];

test.each(CASES)('a start that %s is ended by %s, and what was open is closed', async (step, ending) => {
  const { env = {}, end, code } = ENDINGS[ending]!;
  const child = run(
    `import { writeSync } from 'node:fs';
    await runService('render', async (scope) => {
      scope.defer(() => writeSync(1, 'closed second\\n'));
      scope.defer(() => writeSync(1, 'closed first\\n'));
      writeSync(1, 'starting\\n');
      ${STEPS[step as keyof typeof STEPS]}
      writeSync(1, 'went on');
    });`,
    env,
  );
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  // No `close` comes after `disconnect`.
  const ended = Promise.all([once(child, 'exit'), once(child.stdout!, 'close')]);
  await until(() => out.includes('starting'));
  end(child);
  expect((await ended)[0][0]).toBe(code);
  expect(out).toMatch(/closed first\n(.*\n)*closed second\n/);
  expect(out).not.toMatch(/service ready|went on|"err"/);
});

test('a process whose parent had gone before it listened does not start', async () => {
  const child = run(`
    process.disconnect();
    await runService('render', async () => { console.log('started'); ${NEVER} });`);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(out).toContain('parent gone');
  expect(out).not.toContain('started');
});

test('a limit of the start that is no number is refused by its name', async () => {
  const child = run(`await runService('render', async () => {});`, {
    START_LIMIT_SECONDS: 'soon',
  });
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  expect((await once(child, 'close'))[0]).toBe(78);
  expect(out).toContain('START_LIMIT_SECONDS must be');
});

/** Runs a script to its end. @returns its exit code, messages and lines of its log */
async function ran(
  script: string,
  env: NodeJS.ProcessEnv = {},
  onMessage: (message: unknown, child: ReturnType<typeof run>) => void = () => {},
) {
  const child = run(script, env);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const messages: unknown[] = [];
  child.on('message', (message) => {
    messages.push(message);
    onMessage(message, child);
  });
  const [code] = await once(child, 'close');
  return { code, messages, out };
}

test('the services of a process end wave by wave, each with its readiness off before the first of them closes', async () => {
  const end = await ran(
    `const ready = {};
    const start = (name) => async (scope) => {
      ready[name] = scope.readiness;
      scope.defer(() => process.send(name + ' closed first opened'));
      scope.defer(async () => process.send(name + ' closes, ready: ' + (await ready.nodes.report()).ready));
      setInterval(() => {}, 1000);
    };
    await compose([[['gateway', start('gateway')]], [['historic', start('historic')]], [['nodes', start('nodes')]]]);`,
    {},
    (message, child) => {
      if (message === 'ready') child.kill('SIGTERM');
    },
  );
  const closed = ['gateway', 'historic', 'nodes'].flatMap((name) => [
    `${name} closes, ready: false`,
    `${name} closed first opened`,
  ]);
  expect(end).toMatchObject({ code: 0, messages: ['ready', ...closed] });
});

test('a service that cannot start is named, and the others of its process end cleanly', async () => {
  const end = await ran(`const opened = Promise.withResolvers();
  await compose([
    [['gateway', async (scope) => { scope.defer(() => process.send('gateway closed')); opened.resolve(); await new Promise((_, reject) => scope.signal.addEventListener('abort', () => reject(scope.signal.reason))); }]],
    [['nodes', async (scope) => { scope.defer(() => process.send('nodes closed')); await opened.promise; throw new Error('a broken table'); }]],
  ]);`);
  expect(end).toMatchObject({ code: 1, messages: ['gateway closed', 'nodes closed'] });
  const failures = end.out
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => JSON.parse(line));
  expect(failures).toEqual([
    expect.objectContaining({
      service: 'nodes',
      msg: 'service could not start',
      err: expect.objectContaining({ message: 'a broken table' }),
    }),
  ]);
});

test('bad settings of a process and of all its services are named together, with whose they are, and nothing opens', async () => {
  const end = await ran(
    `const number = (read) => ({ n: read.int('NUMBER', { min: 0 }) });
    const start = async () => process.send('started');
    await compose([[['gateway', start, number]], [['nodes', start, number]]]);`,
    {
      NUMBER: '1',
      NODES__NUMBER: '-1',
      GATEWAY__LOG_LEVEL: 'loud',
      START_LIMIT_SECONDS: 'soon',
      PROCESS_HEALTH_PORT: '0',
    },
  );
  expect(end).toMatchObject({ code: 78, messages: [] });
  expect(end.out).not.toContain('process listening');
  expect(end.out).toContain('"START_LIMIT_SECONDS must be a whole number');
  expect(end.out).toContain('gateway: LOG_LEVEL must be one of debug, info, warn, error, silent');
  expect(end.out).toContain('nodes: NUMBER must be a whole number');
});

test('a setting that is found wrong only when its service starts refuses the process too', async () => {
  const end = await ran(`const { ConfigError } = await import('@catchment/config');
    await compose([[['nodes', async () => { throw new ConfigError(['INGEST_PARTITIONS is 2']); }]]]);`);
  expect(end).toMatchObject({ code: 78, messages: [] });
  expect(end.out).toContain('INGEST_PARTITIONS is 2');
});

test.each([
  ['LOG_LEVEL', 'verbose', 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
  ['START_LIMIT_SECONDS', 'soon', 'START_LIMIT_SECONDS must be a whole number from 0 to 999999'],
  ['CHECK_MESSAGES', 'often', 'CHECK_MESSAGES must be true or false'],
])('a process does not start with %s=%s', async (name, value, problem) => {
  const end = await ran(`await runService('render', async () => process.send('started'));`, { [name]: value });
  expect(end).toMatchObject({ code: 78, messages: [] });
  expect(end.out).toContain(problem);
});

test('a setting for one service of a process wins over the one for all, and logins reach those that use them alone', async () => {
  const end = await ran(
    `const settings = (read, env) => ({ n: read.int('NUMBER'), smtp: env.SMTP_PASSWORD, url: env.DATABASE_URL });
    const start = async ({ name, config }) => { await new Promise((done) => process.send([name, config.n, config.smtp, config.url], done)); };
    await compose([[['gateway', start, settings]], [['nodes', start, settings]]]);`,
    {
      NUMBER: '1',
      NODES__NUMBER: '2',
      SMTP_PASSWORD: 's',
      DATABASE_URL: 'postgres://h/x',
      NODES__DATABASE_USER: 'n',
      NODES__DATABASE_PASSWORD: 'p',
    },
    (message, child) => {
      if (message === 'ready') child.kill('SIGTERM');
    },
  );
  expect(end.messages).toEqual(
    expect.arrayContaining([
      ['gateway', 1, null, null],
      ['nodes', 2, 's', 'postgres://n:p@h/x'],
    ]),
  );
});

test('a process reports on one port whether all of its services are ready', async () => {
  const child = run(
    `const received = (what) => new Promise((go) => process.on('message', (message) => message === what && go()));
    let isAway = false;
    await compose([
      [['gateway', async ({ readiness }) => {
        readiness.add('store', () => { if (isAway) throw new Error('away'); });
        void received('away').then(() => { isAway = true; process.send('is away'); });
      }]],
      [['nodes', () => received('start')]],
    ]);`,
    { PROCESS_HEALTH_PORT: '0' },
  );
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const port = await until(() => /"healthPort":(\d+),"msg":"process listening"/.exec(out)?.[1]);
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const status = async () => [(await ask('/healthz')).status, (await ask('/readyz')).status];
  expect(await status()).toEqual([200, 503]);
  child.send('start');
  await until(() => messages.includes('ready'));
  expect(await status()).toEqual([200, 200]);
  expect((await ask('/metrics')).status).toBe(404);
  child.send('away');
  await until(() => messages.includes('is away'));
  expect(await status()).toEqual([200, 503]);
  expect(await (await ask('/readyz')).json()).toEqual({
    ready: false,
    services: {
      gateway: { ready: false, checks: { service: 'started', store: 'failed' } },
      nodes: { ready: true, checks: { service: 'started' } },
    },
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
