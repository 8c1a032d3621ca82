import { execFileSync, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
    console.log(JSON.stringify({ sdk: loaded.some((url) => url.includes('sdk-trace')), header: header !== undefined }));
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

test.each([
  ['METRICS', 'none', 'must be one of on, off'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'must be name=value pairs with commas between them'],
  ['OTEL_TRACES_SAMPLER_ARG', 'much', 'must be a number from 0 to 1'],
])(
  '%s=%s ends a process before anything else is loaded, with a line that names variable and rule',
  (name, value, rule) => {
    const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e', 'console.log("too late")'];
    const env = { PATH: process.env.PATH, OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value };
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' });
    expect(status).toBe(78);
    const [line = ''] = stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      msg: 'configuration refused',
      problems: [`${name} ${rule}`],
    });
    expect(stdout).not.toContain('too late');
  },
);

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

test('loggers of one process write whole lines into a pipe that is read late', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lines-'));
  const script = `import { writeFileSync } from 'node:fs';
    import { createLogger } from '@catchment/telemetry';
    const logs = ['a', 'b', 'c'].map((name) => createLogger(name));
    for (let n = 0; n < 4; n += 1) {
      for (const log of logs) log.info({ text: 'x'.repeat(20_000) }, 'line');
      await new Promise((resolve) => setImmediate(resolve));
    }
    writeFileSync(process.env.GATE, 'written');`;
  const command = 'mkfifo "$GATE" && "$0" --input-type=module -e "$1" | (cat "$GATE" > /dev/null; cat)';
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, script], {
    cwd: import.meta.dirname,
    env: { ...process.env, GATE: path.join(folder, 'gate') },
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(12);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: 'line', text: 'x'.repeat(20_000) });
});
