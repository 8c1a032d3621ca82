import { execFileSync, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { createLogger, currentTraceparent, injectTrace, withRequestId, withSpan } from './index.ts';

function captured() {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: createLogger('test', { destination }) };
}

test('a line is one JSON object with service, level, time and the request id of its request', () => {
  const { lines, log } = captured();
  withRequestId('r-1', () => log.info({ alarmId: 'a' }, 'alarm state changed'));
  log.info('outside');
  expect(lines[0]).toMatchObject({
    service: 'test',
    level: 'info',
    requestId: 'r-1',
    alarmId: 'a',
    msg: 'alarm state changed',
  });
  expect(lines[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(lines[1]).not.toHaveProperty('requestId');
});

test.each([
  [{ password: 'hunter2' }],
  [{ user: { secret: 'hunter2' } }],
  [{ headers: { 'x-api-key': 'hunter2' } }],
  [{ request: { headers: { 'x-api-key': 'hunter2' } } }],
])('secrets are not written: %j', (fields) => {
  const { lines, log } = captured();
  log.info(fields, 'x');
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('without an OTLP endpoint spans cost nothing and no trace headers are sent', async () => {
  await withSpan('x', {}, async () => {
    expect(injectTrace()).toEqual({});
    expect(currentTraceparent()).toBeUndefined();
  });
});

test.each([
  ['off by default, the SDK is not imported', {}, false],
  ['on with an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true],
])('%s', (_what, env, loaded) => {
  const watch = `import { registerHooks } from 'node:module';
    globalThis.loaded = [];
    registerHooks({ load(url, context, next) { globalThis.loaded.push(url); return next(url, context); } });`;
  const script = `const { injectTrace, SpanKind, withSpan } = await import('@catchment/telemetry');
    const header = await withSpan('x', { kind: SpanKind.SERVER }, async () => injectTrace().traceparent);
    console.log(JSON.stringify({ sdk: loaded.some((url) => url.includes('sdk-node')), header: header !== undefined }));
    process.exit(0);`;
  const out = execFileSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(watch)}`,
      '--import',
      '@catchment/telemetry/start',
      '--input-type=module',
      '-e',
      script,
    ],
    { cwd: import.meta.dirname, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  );
  expect(JSON.parse(out)).toEqual({ sdk: loaded, header: loaded });
});

(process.platform === 'linux' ? test : test.skip)('a process whose output is on a full disk goes on', () => {
  const script = `import { createLogger } from '@catchment/telemetry';
    const log = createLogger('x');
    for (let n = 0; n < 5_000; n += 1) {
      log.info({ n, text: 'x'.repeat(200) }, 'line');
      if (n % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    process.exit(7);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([7, '']);
});
