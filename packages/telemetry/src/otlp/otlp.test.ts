import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { envReader } from '@catchment/config';
import { FileExporter } from './file-exporter.ts';
import { attributesOf, descriptorOf } from './semantic-names.ts';
import { readOtlpSettings, SIGNALS } from './settings.ts';

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
  const read = envReader(env);
  const settings = readOtlpSettings(read);
  read.done();
  expect(settings && SIGNALS.filter((signal) => settings.protocols[signal]).join(' ')).toBe(expected);
});

const RULE = 'must be a whole number from 1 to 9007199254740991';
test.each([
  ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of parentbased_always_on, parentbased_always_off'],
  ['OTEL_TRACES_SAMPLER_ARG', 'much', 'must be a number from 0 to 1'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'],
  ['OTEL_LOGS_EXPORTER', 'consoles', 'must be one of otlp, none'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http', 'must be one of http/protobuf, http/json, grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http', 'must be one of http/protobuf, http/json, grpc'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'file:///x', 'must be a URL that begins with http:// or https://'],
  ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'a collector', 'must be a URL that begins with http:// or https://'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', RULE],
  ['OTEL_EXPORTER_OTLP_LOGS_COMPRESSION', 'zip', 'must be one of none, gzip'],
  ['OTEL_METRIC_EXPORT_INTERVAL', '1m', RULE],
  ['OTEL_METRIC_EXPORT_TIMEOUT', '0', RULE],
  ['OTEL_BSP_SCHEDULE_DELAY', 'soon', RULE],
  ['OTEL_BLRP_MAX_QUEUE_SIZE', '-1', RULE],
  ['OTEL_LOG_LEVEL', 'loud', 'must be one of none, error'],
  ['OTEL_SDK_DISABLED', 'yes', 'must be true or false'],
])('%s=%s is refused: it does not become a default', (name, value, rule) => {
  const read = envReader({ OTEL_TRACES_SAMPLER: 'traceidratio', [name]: value });
  readOtlpSettings(read);
  expect(() => read.done()).toThrow(`${name} ${rule}`);
});

test.each(['http://collector:4318', 'https://[::1]:4318/base', 'collector:4317', 'collector'])(
  '%s is an endpoint',
  (url) => {
    const read = envReader({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    readOtlpSettings(read);
    expect(() => read.done()).not.toThrow();
  },
);

test.each([
  ['http_server_request_duration_seconds', 'histogram', 'http.server.request.duration', 's'],
  ['catchment_dead_letters_total', 'counter', 'catchment_dead_letters', ''],
  ['catchment_stream_bytes', 'gauge', 'catchment_stream_bytes', 'By'],
  ['catchment_ready', 'gauge', 'catchment_ready', ''],
  ['catchment_shard_log_used', 'gauge', 'catchment_shard_log_used', ''],
] as const)('%s is reported by its name in the conventions', (name, type, expected, unit) => {
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
const EXAMPLE = `import { counter, createLogger, histogram, shutdownTelemetry, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
  const log = createLogger('example');
  counter({ name: 'test_letters_total', help: 'Letters.', labels: ['reader'] }).add({ reader: 'a' }, 3);
  const seconds = histogram({ name: 'test_seconds', help: 'Times.', buckets: [1, 2] });
  for (const value of [0.5, 1.5, 1.6, 9]) seconds.observe({}, value);
  await withSpan('work', { kind: SpanKind.SERVER }, () => withRequestId('r-1', async () => {
    log.info({ password: 'hunter2', records: 3 }, 'logged');
    log.error({ err: new Error('a mistake') }, 'failed');
    log.debug('not logged');
  }));
  await shutdownTelemetry().catch(() => {});`;

async function outputOf(env: Record<string, string>, script = EXAMPLE): Promise<string> {
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
  const stdout = await outputOf({ TELEMETRY_FOLDER: folder });
  const files = await Promise.all(
    ['traces', 'metrics', 'logs'].map(async (signal) => {
      const text = await readFile(path.join(folder, `example.${signal}.jsonl`), 'utf8');
      expect(text).not.toContain('hunter2');
      expect(text.endsWith('\n')).toBe(true);
      return JSON.parse(text.split('\n')[0] ?? '');
    }),
  );
  const [traces, metrics, logs] = files;
  const resources = [traces.resourceSpans, metrics.resourceMetrics, logs.resourceLogs].map(([resource]) =>
    textsOf(resource.resource.attributes),
  );
  expect(resources[0]).toMatchObject({ 'service.namespace': 'catchment', 'service.name': 'example' });
  expect(resources[0]).toHaveProperty(['service.version'], expect.stringMatching(/^\d+\.\d+/));
  expect(resources[0]).toHaveProperty(['service.instance.id'], expect.stringMatching(/:\d+$/));
  expect(resources[1]).toEqual(resources[0]);
  expect(resources[2]).toEqual(resources[0]);

  const [span] = traces.resourceSpans[0].scopeSpans[0].spans;
  expect(span.name).toBe('work');
  const exported = metrics.resourceMetrics[0].scopeMetrics.flatMap((scope: { metrics: object[] }) => scope.metrics);
  const named = (name: string) => exported.find((span: { name: string }) => span.name === name);
  expect(named('test_letters').sum).toMatchObject({ isMonotonic: true, dataPoints: [{ asDouble: 3 }] });
  const [point] = named('test_seconds').histogram.dataPoints;
  expect(point).toMatchObject({ count: 4, sum: 12.6, bucketCounts: [1, 2, 1], explicitBounds: [1, 2] });

  const records = logs.resourceLogs[0].scopeLogs[0].logRecords;
  expect(records.map((record: { body: { stringValue: string } }) => record.body.stringValue)).toEqual([
    'logged',
    'failed',
  ]);
  for (const record of records) expect(record.traceId).toBe(span.traceId);
  expect(textsOf(records[0].attributes)).toMatchObject({ 'catchment.request.id': 'r-1', records: 3 });
  expect(textsOf(records[1].attributes)).toMatchObject({ 'exception.type': 'Error', 'exception.message': 'a mistake' });
  // The lines are written as ever.
  expect(stdout.split('\n').filter((line) => line.includes('"msg"'))).toHaveLength(2);
});

const SERVICES = ['nodes', 'alarms', 'render'];
/** Each service of a process reports something, also out of a timer. */
const THREE_SERVICES = `import { setTimeout as delay } from 'node:timers/promises';
  import { counter, createLogger, hostServices, inService, shutdownTelemetry, SpanKind, withSpan } from '@catchment/telemetry';
  const letters = counter({ name: 'test_letters_total', help: 'Letters.' });
  hostServices(${JSON.stringify(SERVICES)});
  const work = (name) => inService(name, async () => {
    await delay(1);
    await withSpan('work of ' + name, { kind: SpanKind.SERVER }, async () => {
      letters.add({}, name.length);
      createLogger(name).info('logged by ' + name);
    });
  });
  await Promise.all(${JSON.stringify(SERVICES)}.map(work));
  createLogger('process').info('logged by nobody of them');
  await shutdownTelemetry();`;
type Item = { name?: string; body?: { stringValue: string }; sum?: { dataPoints: { asDouble: number }[] } };
type Scope = { spans?: Item[]; logRecords?: Item[]; metrics?: Item[] };
type Exported = Record<string, ({ resource: { attributes: Attribute[] } } & Record<string, Scope[]>)[]>;
type ExportedBy = {
  readonly service: unknown;
  readonly spans: string[];
  readonly lines: string[];
  readonly letters: number[];
};

/** Returns what exports say, by the service that their resource names. */
function exportedBy(exports: readonly Exported[]): ExportedBy[] {
  const byService = new Map<unknown, ExportedBy>();
  for (const { resource, ...scopes } of exports.flatMap((item) => Object.values(item).flat())) {
    const { 'service.name': service } = textsOf(resource.attributes);
    const seen = byService.get(service) ?? { service, spans: [], lines: [], letters: [] };
    byService.set(service, seen);
    for (const { spans = [], logRecords = [], metrics = [] } of Object.values<Scope[]>(scopes).flat()) {
      seen.spans.push(...spans.map(({ name = '' }) => name));
      seen.lines.push(...logRecords.map(({ body }) => body?.stringValue ?? ''));
      const letters = metrics.filter(({ name }) => name === 'test_letters');
      seen.letters.push(...letters.flatMap(({ sum }) => sum?.dataPoints.map(({ asDouble }) => asDouble) ?? []));
    }
  }
  return [...byService.values()];
}
const exportedOf = (service: string, lines: string[] = []): ExportedBy => ({
  service,
  spans: [`work of ${service}`],
  lines: [`logged by ${service}`, ...lines],
  letters: [service.length],
});
// The first service reports what belongs to no service.
const OF_THREE = SERVICES.map((name, n) => exportedOf(name, n === 0 ? ['logged by nobody of them'] : []));

test('services of one process have a resource and files of their own, though a name is set for the process', async () => {
  await outputOf({ TELEMETRY_FOLDER: folder }, THREE_SERVICES);
  const files = (await readdir(folder)).sort();
  expect(files).toEqual(
    SERVICES.toSorted().flatMap((name) => ['logs', 'metrics', 'traces'].map((kind) => `${name}.${kind}.jsonl`)),
  );
  for (const expected of OF_THREE) {
    const serviceFiles = files.filter((file) => file.startsWith(`${expected.service}.`));
    const texts = await Promise.all(serviceFiles.map((file) => readFile(path.join(folder, file), 'utf8')));
    expect(exportedBy(texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line)))).toEqual([
      expected,
    ]);
  }
});

test('services of one process share what sends to a collector, which gets each with its own resource', async () => {
  const asked: { url: string; body: string }[] = [];
  const collector = createServer(async (request, response) => {
    asked.push({ url: request.url ?? '', body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Nothing is sent before the end, however long that takes.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_BLRP_SCHEDULE_DELAY: '600000',
  };
  await outputOf(env, THREE_SERVICES);
  collector.close();
  const exported = exportedBy(asked.map(({ body }) => JSON.parse(body)));
  expect(exported).toHaveLength(SERVICES.length);
  expect(exported).toEqual(expect.arrayContaining(OF_THREE));
  // Spans have one queue, lines another.
  expect(asked.filter(({ url }) => url === '/v1/traces')).toHaveLength(1);
  expect(asked.filter(({ url }) => url === '/v1/logs')).toHaveLength(1);
});

test('metrics and logs go to a collector too', async () => {
  const asked = new Map<string, string>();
  const collector = createServer(async (request, response) => {
    asked.set(request.url ?? '', Buffer.concat(await request.toArray()).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  await outputOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
  collector.close();
  expect([...asked.keys()].sort()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  expect(asked.get('/v1/metrics')).toContain('test_letters');
});

test('a collector that never answers does not hold up the end of a process until its own limit, and a line reports one that is away', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const port = (silent.address() as AddressInfo).port;
  // A process that waits for the collector does so for longer than a test may take.
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_TIMEOUT: '600000' };
  await outputOf(env, `${EXAMPLE}\nprocess.exit(0);`);
  silent.closeAllConnections();
  silent.close();
  const stdout = await outputOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  });
  const lines = stdout.split('\n').filter((line) => line.includes('telemetry could not be sent'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"level":"warn".*"service":"example"/);
});
