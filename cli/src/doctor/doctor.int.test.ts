import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bus, type Finding } from '@catchment/bus';
import { DomainError } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import {
  ownCertificate,
  type TestDatabase,
  type TestInflux,
  type TestNats,
  testDatabase,
  testInflux,
  testNats,
  until,
} from '@catchment/testkit';

const MAIN = path.resolve(import.meta.dirname, '../main.ts');
const SECRET = 'a-secret-of-more-than-thirty-two-signs';
const log = createLogger('test', { level: 'silent' });
let database: TestDatabase;
let nats: TestNats;
let influx: TestInflux;
let bus: Bus;
let folder: string;
let silent: Server;

beforeAll(async () => {
  [database, nats, influx] = await Promise.all([testDatabase(), testNats(), testInflux()]);
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  folder = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  // Accepts, and never says anything.
  silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  silent?.close();
  await bus?.close();
  await Promise.all([database?.drop(), nats?.drop(), influx?.drop(), rm(folder, { recursive: true })]);
});

const silentAddress = () => `127.0.0.1:${(silent.address() as { port: number }).port}`;
const sound = () => ({
  DATABASE_URL: database.url,
  NATS_URL: nats.url,
  NATS_PREFIX: nats.prefix,
  INFLUX_URL: influx.url,
  INFLUX_DATABASE: influx.database,
  INGEST_PARTITIONS: '2',
  STREAM_REPLICAS: '1',
});

type Run = { code: number; output: string; errors: string };

/** Runs `catchment …` with nothing but these settings. */
async function catchment(given: readonly string[], settings: Record<string, string | undefined>): Promise<Run> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN, ...given], { env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings } });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    texts.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.errors += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...texts };
}
async function doctor(
  settings: Record<string, string | undefined>,
  ...given: string[]
): Promise<Run & { of: (about: string) => Finding[]; findings: Finding[] }> {
  const run = await catchment(['doctor', '--json', ...given], { ...sound(), ...settings });
  if (!run.output) throw new Error(run.errors);
  const { findings } = JSON.parse(run.output) as { findings: Finding[] };
  return { ...run, findings, of: (about) => findings.filter((finding) => finding.about.split(', ').includes(about)) };
}
const says = (findings: readonly Finding[]) => findings.map(({ level, says }) => `${level}: ${says}`).join('\n');
const wrong = (findings: readonly Finding[]) => findings.filter(({ level }) => level === 'problem');

test('an installation without its schemas hears what to run, and is sound afterwards', async () => {
  const before = await doctor({});
  expect(before.code).toBe(1);
  expect(says(before.of('schema nodes'))).toMatch(
    /problem: \d+ migrations are missing, the first is 0001-create-nodes/,
  );
  expect(before.of('schema nodes')[0]?.advice).toContain('catchment migrate');

  expect(await catchment(['migrate'], sound())).toMatchObject({ code: 0 });
  // The process of this test is at the broker, and answers unless it stands still.
  const after = await until(async () => {
    const found = await doctor({});
    return found.of('versions')[0]?.level === 'ok' && found;
  });
  // The servers of tests do without it, which is the one fault that is left.
  expect(says(wrong(after.findings))).toBe('problem: fsync is off: a crash may destroy the database');
  expect(says(after.of('schema nodes'))).toBe('ok: every migration of this version is there');
  expect(says(after.of('postgresql'))).toMatch(/ok: version 1\d/);
  expect(says(after.of('nats'))).toMatch(/ok: version 2\.\d+/);
  expect(says(after.of('influxdb'))).toMatch(/ok: version 1[\s\S]*keeps records for ever/);
  expect(says(after.of('readers'))).toMatch(/ok: \d+ readers are there and up to date/);
  expect(says(after.of('outboxes'))).toBe('ok: messages about changes move');
  expect(says(after.of('versions'))).toMatch(/^ok: every process that reports runs \S+ \(1\)$/);
});

test('a schema of a newer version, and messages that nobody sends, are seen', async () => {
  await database.query(`INSERT INTO nodes.migrations (name, run_on) VALUES ('9999-later', now())`);
  await database.query(`INSERT INTO alarms.outbox (subject, data, headers) VALUES ('alarms.x.v1', '', '{}')`);
  const { of } = await doctor({});
  expect(says(of('schema nodes'))).toContain('warning: a newer version has been here: 9999-later');
  expect(says(of('outbox alarms'))).toBe('problem: its oldest message does not move');
  await database.query(`DELETE FROM nodes.migrations WHERE name = '9999-later'`);
  await database.query('DELETE FROM alarms.outbox');
});

test.each([[['migrate']], [['migrate', '--check']]])(
  'a database of a newer version is refused by catchment %s before any schema changes',
  async (command) => {
    await using newer = await testDatabase();
    await newer.query('CREATE SCHEMA processing');
    await newer.query('CREATE TABLE processing.migrations (id serial, name text, run_on timestamp)');
    await newer.query(`INSERT INTO processing.migrations (name, run_on) VALUES ('9999-later', now())`);
    const { code, errors } = await catchment(command, { DATABASE_URL: newer.url });
    expect(code).toBe(1);
    expect(errors).toContain('The database is of a newer version: processing has had 9999-later');
    expect(errors).toContain('helm rollback');
    const schemas = await newer.query(
      `SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'nodes'`,
    );
    expect(schemas).toEqual([]);
  },
);

test.each([
  ['is empty', () => database.url, /this version fits the database/],
  ['does not answer', () => 'postgres://jo:pw@127.0.0.1:9/x', /does not answer, so it was not looked at/],
])('catchment migrate --check changes nothing of a database that %s', async (_what, url, says) => {
  const { code, output } = await catchment(['migrate', '--check'], { DATABASE_URL: url() });
  expect([code, output]).toEqual([0, expect.stringMatching(says)]);
});

test('a server that is away and one that never answers are problems of their own', async () => {
  const influxUrl = new URL(influx.url);
  influxUrl.host = silentAddress();
  const { findings, of, code } = await doctor(
    { NATS_URL: 'nats://jo:s3cret-login@127.0.0.1:9', INFLUX_URL: influxUrl.href, NODES_ADDRESS: silentAddress() },
    '--timeout',
    '10',
  );
  expect(code).toBe(1);
  expect(says(of('nats'))).toMatch(/^problem: .*refused/i);
  expect(of('nats')[0]?.advice).toContain('nats://127.0.0.1:9');
  expect(says(of('versions'))).toMatch(/^unknown: the broker does not answer: .*refused/i);
  expect(says(of('influxdb'))).toMatch(/^problem: gave no answer within 10 s/);
  expect(says(of('nodes'))).toMatch(/^problem: .*does not answer at 127/);
  expect(says(of('postgresql'))).toMatch(/ok: version/);
  const text = JSON.stringify(findings);
  for (const secret of [
    's3cret-login',
    decodeURIComponent(influxUrl.password),
    new URL(database.url).password || '-never-',
  ])
    expect(text).not.toContain(secret);
});

test('dead letters, a missing reader and another number of partitions are seen', async () => {
  const own = await testNats();
  await using _own = own;
  const broker = await Bus.open({ url: own.url, prefix: own.prefix, name: 'test', partitions: 2, log });
  const reading = broker.readDomain('events-recorded', async () => {
    throw new DomainError('invalid_argument', 'INVALID_EVENT', 'bad');
  });
  await broker.publish('events.event.recorded.v1', new Uint8Array(), { msgId: 'poison' });
  await until(() => broker.deadLetterCount === 1);
  await reading.stop();
  await broker.close();
  const { of } = await doctor({ NATS_PREFIX: own.prefix, INGEST_PARTITIONS: '3' });
  expect(says(of('dead letters'))).toBe('warning: 1 message was put aside: 1 of events-recorded');
  expect(says(of('stream INGEST'))).toContain('problem: INGEST_PARTITIONS is 3, but the ingest log has 2 partitions');
  expect(says(of('reader writer-2'))).toBe('problem: is not there on INGEST');
});

test('the writer of a further InfluxDB is a reader like others: it is sound, and its absence is found', async () => {
  const own = await testNats();
  await using _own = own;
  const broker = await Bus.open({ url: own.url, prefix: own.prefix, name: 'test', partitions: 2, log });
  const settings = { NATS_PREFIX: own.prefix, INFLUX_SHARDS: `b=${influx.url}` };
  const before = await doctor(settings);
  expect(says(before.of('reader writer-b-0'))).toBe('problem: is not there on INGEST');
  expect(says(before.of('reader writer-b-1'))).toBe('problem: is not there on INGEST');
  await broker.ensureParts('writer', ['b']);
  const after = await doctor(settings);
  expect(says(after.of('readers'))).toMatch(/^ok: \d+ readers are there and up to date$/);
  expect(says(after.of('influxdb b'))).toMatch(/ok: version 1/);
  await broker.close();
});

test('the settings of services are read by their own rules, and no value is shown', async () => {
  const settings: Record<string, Record<string, string>> = {
    render: {
      GRPC_PORT: '50051',
      HEALTH_PORT: '8081',
      NODES_ADDRESS: 'n:1',
      HISTORIC_ADDRESS: 'h:1',
      EVENTS_ADDRESS: 'e:1',
    },
    alarms: { GRPC_PORT: 'many-secret', HEALTH_PORT: '8081', NODES_ADDRESS: 'n:1', INGEST_PARTITIONS: '4\n' },
    events: { GRPC_PORT: '50051', HEALTH_PORT: '8081', NODES_ADDRESS: 'n:1', DATABASE_CONNECTIONS: '7' },
  };
  for (const [service, values] of Object.entries(settings)) {
    await mkdir(path.join(folder, service, '..data'), { recursive: true });
    for (const [name, value] of Object.entries(values)) await writeFile(path.join(folder, service, name), value);
  }
  const { of, output } = await doctor({ SERVICE_TOKEN_SECRET: SECRET }, '--settings', folder, '--timeout', '30');
  expect(says(of('configuration of render'))).toBe('ok: every setting is readable');
  expect(says(of('configuration of alarms'))).toBe(
    'problem: GRPC_PORT must be a whole number from 0 to 65535\nproblem: HISTORIC_ADDRESS must be set',
  );
  expect(says(of('configuration'))).toBe('problem: INGEST_PARTITIONS is not the same for alarms, events, render');
  expect(says(of('postgresql'))).toMatch(/^ok: the services take 7 of \d+ connections at most$/m);
  expect(output).not.toContain('many-secret');
  expect(output).not.toContain(SECRET);
});

test('a certificate that ends soon is reported, one that cannot be read too', async () => {
  const { pem } = await ownCertificate(folder);
  const file = path.join(folder, 'ca.pem');
  await writeFile(file, pem);
  const { of } = await doctor({ KAFKA_TLS_CA: file, SCOUT_TLS_CERT_FILE: path.join(folder, 'none.pem') });
  expect(says(of('certificate KAFKA_TLS_CA'))).toMatch(/problem: ends in 1 day, on \d{4}-\d\d-\d\d/);
  expect(says(of('certificate SCOUT_TLS_CERT_FILE'))).toMatch(/problem: ENOENT/);
});

test.each([
  ['that is away', () => '127.0.0.1:9', /ECONNREFUSED/],
  ['that never answers', silentAddress, /the time of the check is over/],
  ['that speaks another language', () => new URL(influx.url).host, /SSL|wrong version|EPROTO/],
])('an address for clients %s is not known from here, and no fault', async (_what, address, reason) => {
  const { of } = await doctor({ BASE_URL: `https://${address()}` });
  const [finding] = of('certificate of the gateway');
  expect(finding).toMatchObject({ level: 'unknown', says: expect.stringMatching(reason) });
  expect(finding?.advice).toContain(`-connect ${address()}`);
});

test('without an installation the command says what to give', async () => {
  const settings = Object.fromEntries(Object.keys(sound()).map((name) => [name, '']));
  const run = await catchment(['doctor', '--data-dir', folder], settings);
  expect(run.code).toBe(1);
  expect(run.errors).toMatch(/No installation found.*npm start/);
  const empty = await catchment(['doctor', '--settings', path.join(folder, 'nothing')], settings);
  expect(empty.errors).toMatch(/--settings: .* has no folder of a service/);
});
