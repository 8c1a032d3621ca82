// An operator sees this of a request: its trace through every service, and the metrics and log levels of each.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { type Api, jts, MODEL } from './src/api.ts';
import { type Installation, runCatchment, startInstallation } from './src/installation.ts';
import { subscribe } from './src/subscriber.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { traceId: string }[];
  readonly attributes: readonly { key: string; value: object }[];
  /** Service of the reporting resource. */
  readonly service: string;
};

let folder: string;
let mailServer: TestMailServer;
let installation: Installation;
let api: Api;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'traces-'));
  mailServer = await testMailServer();
  installation = await startInstallation({
    env: {
      TELEMETRY_FOLDER: folder,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      SMTP_URL: mailServer.url,
      SMTP_TLS: 'off',
      SMTP_FROM: 'Catchment <catchment@example.org>',
    },
  });
  api = installation.api;
});
afterAll(async () => {
  await installation?.stop();
  await mailServer?.close();
  await rm(folder, { recursive: true });
});

type Exported = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

/** Reads all spans so far out of the files of the services: a line for each export. */
async function spans(): Promise<Span[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.traces.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  // The last line may be on its way.
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return lines.flatMap((line) =>
    (JSON.parse(line) as Exported).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
    }),
  );
}

/** These evaluate records. */
const EVALUATED = /^process (INGEST|APPLIED)$/;
/** A caller has this span, and exports no spans itself. */
const CALLER = 'b'.repeat(16);
const traceparent = (n: number) => ({ traceparent: `00-${n.toString(16).padStart(32, 'a')}-${CALLER}-01` });
const traceId = (n: number) => n.toString(16).padStart(32, 'a');
const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();

/**
 * The spans of a request's trace, once it has all of these steps and what led to them: each process exports its own at
 * its own time.
 */
const traceWith = (n: number, steps: readonly (readonly [service: string, name: RegExp])[]): Promise<Span[]> =>
  until(
    async () => {
      const own = (await spans()).filter((span) => span.traceId === traceId(n));
      const has = ([service, name]: readonly [string, RegExp]) =>
        own.some((span) => span.service === service && name.test(span.name));
      const known = new Set([...own.map(({ spanId }) => spanId), CALLER]);
      return steps.every(has) && own.every(({ parentSpanId = '' }) => known.has(parentSpanId)) && own;
    },
    { what: 'the trace has every step' },
  );

test('an alarm is one trace: HTTP, gRPC, the log, InfluxDB, the evaluation, its event, and the mail about it', async () => {
  const { workspaceId, sourceId } = await api.createSite();
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find((category: { name: string }) => category.name === 'Critical')._id;
  const high = { name: 'HIGH', threshold: 5, isAlarm: true, notify: 'ALWAYS', categoryId, messageAway: 'too high' };
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: sourceId,
    states: [{ name: 'NORMAL' }, high],
  });
  const email = `ann-${process.pid}@example.org`;
  await subscribe(api, { workspaceId, nodeId: level._id }, { email, phone: '+61865550100' });
  const put = (n: number, value: number, headers = {}) =>
    api.put(`/nodes/${level._id}/historic/now`, { value, timestamp: minute(n) }, headers);
  // This value is evaluated before the request that is followed, so that that one is handled alone.
  await put(0, 1, traceparent(0));
  await traceWith(0, [['alarms', EVALUATED]]);
  expect((await put(1, 6.5, traceparent(1))).status).toBe(202);

  const trace = await traceWith(1, [
    ['gateway', /^PUT .*historic\/now$/],
    ['gateway', /HistoricService\/Write/],
    ['historic', /HistoricService\/Write/],
    ['historic', /^publish ingest\.\{partition\}$/],
    ['historic', /^process INGEST$/],
    ['historic', /^write catchment$/],
    ['alarms', EVALUATED],
    ['alarms', /^INSERT alarms$/],
    ['alarms', /^publish events\.event\.recorded\.v1$/],
    ['events', /^process DOMAIN$/],
    ['nodes', /^process DOMAIN$/],
    ['nodes', /^process NOTIFICATIONS$/],
    ['nodes', /^smtp send$/],
  ]);
  expect(mailServer.mails.map(({ to }) => to)).toEqual([[email]]);
  const attributesOf = (name: RegExp) => trace.find((span) => name.test(span.name))?.attributes;
  expect(attributesOf(/^PUT/)).toContainEqual({ key: 'http.response.status_code', value: { intValue: 202 } });
  expect(attributesOf(/Write/)).toContainEqual({ key: 'rpc.system.name', value: { stringValue: 'grpc' } });
  expect(attributesOf(/^process INGEST/)).toContainEqual({
    key: 'messaging.system.name',
    value: { stringValue: 'nats' },
  });
  expect(attributesOf(/^write /)).toContainEqual({ key: 'db.system.name', value: { stringValue: 'influxdb' } });
  expect(JSON.stringify(trace)).not.toContain(email);
});

test('the span of a batch of many requests links to each of theirs', async () => {
  const { sourceId } = await api.createSite();
  await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(0), 1]]));
  const numbers = Array.from({ length: 40 }, (_, n) => n + 100);
  const writeAll = () =>
    Promise.all(
      numbers.map((n) => api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(n), n]]), traceparent(n))),
    );
  // The machine decides which writes that come together share a batch: they come again until some do.
  const batch = await until(
    async () => {
      await writeAll();
      return (await spans()).find(
        ({ name, links }) => name === 'publish ingest.{partition}' && (links?.length ?? 0) > 1,
      );
    },
    { everyMs: 250 },
  );
  for (const link of batch.links ?? []) expect(numbers.map(traceId)).toContain(link.traceId);
});

/** Each service has these; what more it has, by what it does. */
const OF_ALL = ['catchment_ready', 'target_info', 'catchment_event_loop_longest_delay_seconds'];
const OF_SERVICE: Readonly<Record<string, readonly string[]>> = {
  gateway: [
    'http_server_request_duration_seconds_bucket',
    'catchment_push_clients',
    'rpc_client_call_duration_seconds_count',
  ],
  nodes: [
    'catchment_dependency_up{dependency="postgres"} 1',
    'catchment_stream_bytes{stream="INGEST"}',
    'catchment_stream_limit_bytes{stream="INGEST"}',
    'catchment_notifications_total{channel="mail",outcome="sent"} 1',
    'catchment_outbox_rows',
    'catchment_outbox_oldest_seconds',
    'catchment_reader_pending{stream="NOTIFICATIONS",reader="nodes-emails"}',
  ],
  historic: [
    'catchment_records_accepted_total',
    'catchment_records_durable_total',
    'catchment_records_written_total{shard="default"}',
    'catchment_visible_lag_seconds_bucket{le="2"}',
    'catchment_reader_pending{stream="INGEST",reader="writer"} 0',
    'catchment_reader_oldest_seconds{stream="INGEST",reader="writer"} 0',
    'catchment_dead_letters_total{reader="writer"} 0',
    'catchment_clock_skew_seconds{against="postgresql"}',
  ],
  alarms: [
    'catchment_alarm_transitions_total{alarm_type="stateAlarm",to="active"} 1',
    'messaging_process_duration_seconds_bucket',
  ],
  events: ['catchment_webhook_deliveries_total{outcome="ok"} 0', 'db_client_operation_duration_seconds_bucket'],
  devices: ['catchment_connections{protocol="modem"} 0'],
  render: ['catchment_renders_total{kind="chart",outcome="failed"} 0'],
  processing: ['catchment_processing_runs_total{outcome="limit"} 0', 'catchment_oldest_unprocessed_seconds'],
};

test('every service answers /metrics, with the traces of requests as exemplars', async () => {
  const { healthPorts } = await installation.running();
  expect(Object.keys(healthPorts)).toEqual(expect.arrayContaining(Object.keys(OF_SERVICE)));
  const headers = { accept: 'application/openmetrics-text; version=1.0.0' };
  const scrape = async (service: string) =>
    (await fetch(`http://127.0.0.1:${healthPorts[service]}/metrics`, { headers })).text();
  for (const [service, names] of Object.entries(OF_SERVICE)) {
    let missing: readonly string[] = [];
    const isWhole = async () => {
      const lines = (await scrape(service)).split('\n');
      expect(lines.find((line) => line.startsWith('target_info'))).toContain(`service_name="${service}"`);
      missing = [...OF_ALL, ...names].filter((name) => !lines.some((line) => line.startsWith(name)));
      return missing.length === 0;
    };
    // An answer may come too late for a scrape on a busy machine.
    await until(isWhole, { everyMs: 1_000 }).catch(() => {});
    expect({ service, missing }).toEqual({ service, missing: [] });
  }
  expect(await scrape('gateway')).toMatch(
    /^http_server_request_duration_seconds_bucket\{.*http_route=".*historic.*\} \d+ # \{trace_id="[0-9a-f]{32}",/m,
  );
});

test('the log level of every service is changed while it runs', async () => {
  const { pids } = await installation.running();
  const all = Object.keys(OF_SERVICE).map((service) => `${service} ${hostname()}:${pids[service]}: warn for 60 s`);
  const args = ['log-level', 'all', 'warn', '--for', '1m', '--data-dir', installation.dataDir];
  expect((await runCatchment(args)).output.trim().split('\n')).toEqual(all.sort());
});
