import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { until } from '@catchment/testkit';
import { type Api, jts } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { traceId: string }[];
};

const spans: Span[] = [];
let collector: Server;
let installation: Installation;
let api: Api;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const body = Buffer.concat(chunks);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    const { resourceSpans = [] } = JSON.parse(text) as { resourceSpans?: { scopeSpans: { spans: Span[] }[] }[] };
    spans.push(...resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  installation = await startInstallation({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
  });
  api = installation.api;
}, 240_000);
afterAll(async () => {
  await installation?.stop();
  collector.close();
}, 60_000);

const traceparent = (n: number) => ({ traceparent: `00-${n.toString(16).padStart(32, 'a')}-${'b'.repeat(16)}-01` });
const traceId = (n: number) => n.toString(16).padStart(32, 'a');
const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();

test('a request alone is one trace from HTTP through gRPC and NATS to the InfluxDB write', async () => {
  const { sourceId } = await api.createSite();
  await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(0), 1]]));
  // Stored before the request that is followed, so that the writer handles that one alone.
  await until(() => spans.some(({ name }) => name === 'writer handle'), { deadlineMs: 20_000 });
  expect((await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(1), 1]]), traceparent(1))).status).toBe(202);
  const steps = [/PUT .*historic/, /HistoricService\/Write$/, /^ingest publish$/, /^writer handle$/, /influx/i];
  // Each process sends its spans when it is their time.
  const trace = await until(
    () => {
      const own = spans.filter((span) => span.traceId === traceId(1));
      return steps.every((step) => own.some(({ name }) => step.test(name))) && own;
    },
    { deadlineMs: 20_000, what: 'the trace has every step' },
  );
  const known = new Set([...trace.map(({ spanId }) => spanId), 'b'.repeat(16)]);
  for (const { parentSpanId = '' } of trace) expect(known.has(parentSpanId)).toBe(true);
});

test('the span of a batch of many requests links to each of theirs', async () => {
  const { sourceId } = await api.createSite();
  await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(0), 1]]));
  const numbers = Array.from({ length: 40 }, (_, n) => n + 100);
  await Promise.all(
    numbers.map((n) => api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(n), n]]), traceparent(n))),
  );
  const batch = await until(
    () => spans.find(({ name, links }) => name === 'ingest publish' && (links?.length ?? 0) > 1),
    { deadlineMs: 20_000 },
  );
  for (const link of batch.links ?? []) expect(numbers.map(traceId)).toContain(link.traceId);
});
