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

test('/metrics tells what the process counts and how its dependencies are, OpenMetrics where it is accepted', async () => {
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

test('/metrics of a process whose dependency hangs comes within a second, and tells that it is down', async () => {
  const readiness = new Readiness();
  readiness.add('store', () => new Promise(() => {}));
  readiness.started();
  const server = await serveHealth({ host: '127.0.0.1', port: 0, readiness });
  const scrape = async () => {
    const beganMs = performance.now();
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    expect(performance.now() - beganMs).toBeLessThan(1_000);
    expect(text).toContain('\ntarget_info{');
    return text.split('\n');
  };
  await until(async () => (await scrape()).includes('catchment_dependency_up{dependency="store"} 0'));
  expect(await scrape()).toContain('catchment_ready 0');
  await server.close();
});

function run(script: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

test('SIGTERM turns readiness off, then closes in the reverse order of opening, and exits 0', async () => {
  const child = run(`import { runService } from '@catchment/service';
    await runService('x', async (scope) => {
      scope.defer(() => process.send('closed first opened'));
      scope.defer(async () => process.send('ready ' + (await scope.readiness.report()).ready));
      setInterval(() => {}, 1000);
    });`);
  const messages: unknown[] = [];
  child.on('message', (message) => {
    messages.push(message);
    if (message === 'ready') child.kill('SIGTERM');
  });
  const [code] = await once(child, 'exit');
  expect({ code, messages }).toEqual({ code: 0, messages: ['ready', 'ready false', 'closed first opened'] });
});

test.each([
  ['an exception', `throw new Error('a mistake')`],
  ['a rejected promise', `Promise.reject(new Error('a mistake'))`],
  ['an error event', `new (await import('node:events')).EventEmitter().emit('error', new Error('a mistake'))`],
])('%s that nobody handles is logged whole, drains, and exits 1', async (_what, mistake) => {
  const child = run(`import { runService } from '@catchment/service';
    await runService('x', async (scope) => {
      scope.defer(async () => process.send('ready ' + (await scope.readiness.report()).ready));
      setTimeout(async () => { ${mistake} }, 50);
      setInterval(() => {}, 1000);
    });`);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'exit');
  expect({ code, messages }).toEqual({ code: 1, messages: ['ready', 'ready false'] });
  const lines = out.split('\n').filter((line) => line.includes('uncaught exception') && line.includes('"err"'));
  expect(lines).toEqual([expect.stringContaining('a mistake')]);
});

test('a start that fails exits 1, names the variable and closes what was open', async () => {
  const child = run(`import { runService } from '@catchment/service'; import { envReader } from '@catchment/config';
    await runService('x', async (scope) => { scope.defer(() => process.send('closed')); const r = envReader({}); r.text('DATABASE_URL'); r.done(); });`);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(messages).toEqual(['closed']);
  expect(out).toContain('DATABASE_URL must be set');
});
