import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { metricsPage } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { certificateFiles } from './certificate-files.ts';
import { watchCertificates } from './certificate-watch.ts';

const DAY_MS = 86_400_000;
let folder: string;
const at = (name: string) => path.join(folder, name);

/** Makes a certificate that ends after this many days. */
async function make(name: string, days: number): Promise<string> {
  const file = at(name);
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=x',
    '-days',
    String(days),
    '-keyout',
    at('key.pem'),
    '-out',
    file,
  ]);
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'certificates-'));
  await Promise.all([make('year.pem', 365), make('week.pem', 7)]);
});
afterAll(() => rm(folder, { recursive: true }));

/** Makes a watch whose days are those of the test. */
async function watched(env: Record<string, string>, state = { nowMs: Date.now() }) {
  const lines: string[] = [];
  const line = (level: string) => (facts: unknown, text: unknown) =>
    void lines.push(
      `${level} ${(facts as { certificate: string }).certificate} ${(facts as { days: number }).days}: ${text}`,
    );
  let nextDay = () => {};
  const stop = await watchCertificates({
    env,
    log: { info: line('info'), warn: line('warn'), error: line('error') } as never,
    now: () => state.nowMs,
    daily: (work) => {
      nextDay = work;
      return () => {};
    },
  });
  const remaining = async (name: string) =>
    Number(new RegExp(`remaining_seconds\\{certificate="${name}"\\} (\\S+)`).exec((await metricsPage()).text)?.[1]);
  return {
    lines,
    stop,
    remaining,
    passDays: (days: number) => {
      state.nowMs += days * DAY_MS;
      nextDay();
    },
  };
}

test('each certificate has a line at the start, and the time that is left as a metric', async () => {
  const { lines, stop, remaining } = await watched({
    MQTT_TLS_CERT_FILE: at('year.pem'),
    SCOUT_TLS_CERT_FILE: at('week.pem'),
    DATABASE_URL: `postgres://a/b?sslrootcert=${at('year.pem')}`,
    KAFKA_TLS_CA: at('none.pem'),
  });
  expect(lines.sort()).toEqual([
    'info DATABASE_URL sslrootcert 364: a certificate is used',
    'info MQTT_TLS_CERT_FILE 364: a certificate is used',
    'warn SCOUT_TLS_CERT_FILE 6: a certificate ends soon: renew it, and start the process again',
  ]);
  expect((await remaining('SCOUT_TLS_CERT_FILE')) / 86_400).toBeCloseTo(7, 1);
  expect((await remaining('MQTT_TLS_CERT_FILE')) / 86_400).toBeCloseTo(365, 1);
  stop();
  expect(await remaining('MQTT_TLS_CERT_FILE')).toBeNaN();
});

test('every day those that end soon are reported, and those that have ended', async () => {
  const { lines, stop, remaining, passDays } = await watched({
    MQTT_TLS_CERT_FILE: at('year.pem'),
    SCOUT_TLS_CERT_FILE: at('week.pem'),
  });
  lines.length = 0;
  passDays(1);
  await until(() => lines.length === 1);
  expect(lines.splice(0)).toEqual([expect.stringMatching(/^warn SCOUT_TLS_CERT_FILE 5: a certificate ends soon/)]);
  passDays(7);
  await until(() => lines.length === 1);
  expect(lines).toEqual([expect.stringMatching(/^error SCOUT_TLS_CERT_FILE -1?2: a certificate has ended/)]);
  expect(await remaining('SCOUT_TLS_CERT_FILE')).toBeLessThan(-80_000);
  stop();
});

test('a renewed file counts where each connection reads it; what a listener serves was read at its start', async () => {
  const listener = at('listener.pem');
  const authorities = at('authorities.pem');
  await Promise.all([listener, authorities].map((file) => copyFile(at('week.pem'), file)));
  const { lines, stop, passDays } = await watched({
    MQTT_TLS_CERT_FILE: listener,
    DATABASE_URL: `postgres://a/b?sslrootcert=${authorities}`,
  });
  await Promise.all([listener, authorities].map((file) => copyFile(at('year.pem'), file)));
  lines.length = 0;
  passDays(1);
  await until(() => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(/^warn MQTT_TLS_CERT_FILE 5/)]);
  stop();
});

test('without settings that name one, nothing is reported', async () => {
  await writeFile(at('text'), 'text');
  const { lines } = await watched({ HTTP_PORT: '1', DATABASE_URL: 'postgres://a/b' });
  expect(lines).toEqual([]);
  expect(
    certificateFiles({ KAFKA_TLS_CERT: '/a', CALLBACK_TLS_CERT_FILE: '/b', NATS_URL: 'tls://n?tls_cert=/c&tls_ca=/d' }),
  ).toMatchObject([
    { name: 'KAFKA_TLS_CERT', file: '/a', kind: 'chain', isReadAgain: false },
    { name: 'CALLBACK_TLS_CERT_FILE', file: '/b', kind: 'chain' },
    { name: 'NATS_URL tls_cert', file: '/c', kind: 'chain', isReadAgain: true },
    { name: 'NATS_URL tls_ca', file: '/d', kind: 'authorities' },
  ]);
});
