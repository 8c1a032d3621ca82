import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FileExporter } from './file-exporter.ts';
import { attributesOf, descriptorOf } from './semantic-names.ts';
import { wantedOf } from './wanted.ts';

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'telemetry-'));
});
afterEach(() => rm(folder, { recursive: true }));

const URL = 'http://127.0.0.1:4318';
test.each([
  ['nothing', {}, undefined],
  ['an endpoint for all', { OTEL_EXPORTER_OTLP_ENDPOINT: URL }, 'traces metrics logs'],
  ['an endpoint for traces alone', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: URL }, 'traces'],
  ['an endpoint, and no logs', { OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_LOGS_EXPORTER: 'none' }, 'traces metrics'],
  ['a folder', { TELEMETRY_FOLDER: '/tmp/x' }, 'traces metrics logs'],
  [
    'a folder, and traces alone',
    { TELEMETRY_FOLDER: '/x', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
    'traces',
  ],
])('what is sent by OTLP with %s', (_what, env, expected) => {
  const wanted = wantedOf(env);
  const signals = wanted && (['traces', 'metrics', 'logs'] as const).filter((signal) => wanted[signal]).join(' ');
  expect(signals).toBe(expected);
});

test.each([
  ['http_server_request_duration_seconds', 'histogram', 'http.server.request.duration', 's'],
  ['catchment_dead_letters_total', 'counter', 'catchment_dead_letters', ''],
  ['catchment_stream_bytes', 'gauge', 'catchment_stream_bytes', 'By'],
  ['catchment_ready', 'gauge', 'catchment_ready', ''],
  ['catchment_shard_log_used', 'gauge', 'catchment_shard_log_used', ''],
] as const)('%s is told by its name in the conventions', (name, type, expected, unit) => {
  expect(descriptorOf({ name, type })).toEqual({ name: expected, unit });
});

test('labels are attributes; an error_type that is empty is none', () => {
  expect(attributesOf({ http_route: '/x', error_type: '' })).toEqual({ 'http.route': '/x' });
  expect(attributesOf({ error_type: 'unavailable', shard: 'a' })).toEqual({ 'error.type': 'unavailable', shard: 'a' });
});

test('a file that is full becomes the previous one, so two are kept at the most', async () => {
  const file = path.join(folder, 'deep', 'x.jsonl');
  const exporter = new FileExporter<string>(file, { serializeRequest: (text) => Buffer.from(text) }, 20);
  for (const text of ['1111111111', '2222222222', '3333333333'])
    exporter.export(text, ({ code }) => expect(code).toBe(0));
  await exporter.forceFlush();
  expect(await readFile(file, 'utf8')).toBe('3333333333\n');
  expect((await readdir(path.dirname(file))).sort()).toEqual(['x.jsonl', 'x.previous.jsonl']);
});

test('a file that cannot be written is a failure of that export alone', async () => {
  // Its folder would be below a file.
  const exporter = new FileExporter<string>(path.join(import.meta.filename, 'x.jsonl'), {
    serializeRequest: (text) => Buffer.from(text),
  });
  const codes: number[] = [];
  exporter.export('a', ({ code }) => codes.push(code));
  await exporter.shutdown();
  expect(codes).toEqual([1]);
});

/** A process that counts, traces and logs, then ends. */
async function tell(env: Record<string, string>, after = ''): Promise<string> {
  const script = `import { counter, createLogger, histogram, shutdownTelemetry, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
    const log = createLogger('example');
    counter({ name: 'test_letters_total', help: 'Letters.', labels: ['reader'] }).add({ reader: 'a' }, 3);
    const seconds = histogram({ name: 'test_seconds', help: 'Times.', buckets: [1, 2] });
    for (const value of [0.5, 1.5, 1.6, 9]) seconds.observe({}, value);
    await withSpan('work', { kind: SpanKind.SERVER }, () => withRequestId('r-1', async () => {
      log.info({ password: 'hunter2', records: 3 }, 'told');
      log.error({ err: new Error('a mistake') }, 'failed');
      log.debug('not told');
    }));
    await shutdownTelemetry().catch(() => {});
    ${after}`;
  const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e', script];
  const { stdout } = await run(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH ?? '', OTEL_SERVICE_NAME: 'example', ...env },
  });
  return stdout;
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
const textsOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test('traces, metrics and logs go to files of their own, with one resource; secrets do not', async () => {
  const stdout = await tell({ TELEMETRY_FOLDER: folder });
  const files = await Promise.all(
    ['traces', 'metrics', 'logs'].map(async (signal) => {
      const text = await readFile(path.join(folder, `example.${signal}.jsonl`), 'utf8');
      expect(text).not.toContain('hunter2');
      expect(text.endsWith('\n')).toBe(true);
      return JSON.parse(text.split('\n')[0] ?? '');
    }),
  );
  const [traces, metrics, logs] = files;
  const resources = [traces.resourceSpans, metrics.resourceMetrics, logs.resourceLogs].map(([one]) =>
    textsOf(one.resource.attributes),
  );
  expect(resources[0]).toMatchObject({ 'service.namespace': 'catchment', 'service.name': 'example' });
  expect(resources[0]).toHaveProperty(['service.version'], expect.stringMatching(/^\d+\.\d+/));
  expect(resources[0]).toHaveProperty(['service.instance.id'], expect.stringMatching(/:\d+$/));
  expect(resources[1]).toEqual(resources[0]);
  expect(resources[2]).toEqual(resources[0]);

  const [span] = traces.resourceSpans[0].scopeSpans[0].spans;
  expect(span.name).toBe('work');
  const told = metrics.resourceMetrics[0].scopeMetrics.flatMap((scope: { metrics: object[] }) => scope.metrics);
  const named = (name: string) => told.find((one: { name: string }) => one.name === name);
  expect(named('test_letters').sum).toMatchObject({ isMonotonic: true, dataPoints: [{ asDouble: 3 }] });
  const [point] = named('test_seconds').histogram.dataPoints;
  expect(point).toMatchObject({ count: 4, sum: 12.6, bucketCounts: [1, 2, 1], explicitBounds: [1, 2] });

  const records = logs.resourceLogs[0].scopeLogs[0].logRecords;
  expect(records.map((one: { body: { stringValue: string } }) => one.body.stringValue)).toEqual(['told', 'failed']);
  for (const record of records) expect(record.traceId).toBe(span.traceId);
  expect(textsOf(records[0].attributes)).toMatchObject({ 'catchment.request.id': 'r-1', records: 3 });
  expect(textsOf(records[1].attributes)).toMatchObject({ 'exception.type': 'Error', 'exception.message': 'a mistake' });
  // The lines are written as ever.
  expect(stdout.split('\n').filter((line) => line.includes('"msg"'))).toHaveLength(2);
});

test('metrics and logs go to a collector too', async () => {
  const asked = new Map<string, string>();
  const collector = createServer(async (request, response) => {
    asked.set(request.url ?? '', Buffer.concat(await request.toArray()).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  await tell({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
  collector.close();
  expect([...asked.keys()].sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  expect(asked.get('/v1/metrics')).toContain('test_letters');
});

test('a collector that never answers holds up the end of a process for seconds only, and a line tells of one that is away', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const port = (silent.address() as AddressInfo).port;
  const beganMs = performance.now();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_TIMEOUT: '25000' };
  await tell(env, 'process.exit(0)');
  silent.closeAllConnections();
  silent.close();
  expect(performance.now() - beganMs).toBeLessThan(20_000);
  const stdout = await tell({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' });
  const lines = stdout.split('\n').filter((line) => line.includes('telemetry could not be sent'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"level":"warn".*"service":"example"/);
});
