import {
  deadLetterFindings,
  type Finding,
  ok,
  problem,
  readerFindings,
  streamFindings,
  warning,
  withoutLogin,
} from '@catchment/bus';
import { certificateEndMs, certificateFiles } from '@catchment/service/certificate-files';
import { expiryFinding } from './certificate-expiry.ts';
import {
  durabilityFinding,
  versionFinding as natsVersion,
  partitionFindings,
  storageFinding,
} from './checks/broker.ts';
import { publicServers, tlsServers } from './checks/certificates.ts';
import { chromiumFinding } from './checks/chromium.ts';
import { unlike } from './checks/configuration.ts';
import { spaceFinding } from './checks/disk.ts';
import { diskFinding, versionFinding as influxVersion, retentionFinding, serversOf } from './checks/influxdb.ts';
import {
  connectionFindings,
  versionFinding as postgresVersion,
  sizeFinding,
  stateFindings,
} from './checks/postgresql.ts';
import { retentionFindings } from './checks/retention.ts';
import { schemaFinding } from './checks/schemas.ts';
import { readinessFinding } from './checks/services.ts';
import { refusalFindings, versionFindings, versionOnPage } from './checks/versions.ts';
import { clockFinding } from './clock.ts';
import { reportLines } from './report-lines.ts';
import { reasonOf, runChecks } from './run-checks.ts';
import { volumeOf } from './volume.ts';

const levels = (findings: readonly Finding[]) => findings.map(({ level }) => level);
const GIB = 1024 ** 3;
const state = {
  fsync: 'on',
  connections: 10,
  max_connections: 100,
  reserved: 3,
  addresses: {},
  oldest_seconds: 0,
  bytes: 1,
  is_standby: false,
  synchronous_standby_names: '',
  standbys: 0,
};
const OF_10 = { limitBytes: 10 * GIB, isHere: false };
const SYNCHRONOUS = { synchronous_standby_names: '*' };

test.each([
  ['PostgreSQL of Debian', postgresVersion('15.6 (Debian 15.6-0+deb12u1)'), 'ok'],
  ['an older PostgreSQL', postgresVersion('14.11'), 'problem'],
  ['a PostgreSQL that does not report it', postgresVersion('devel'), 'unknown'],
  ['the oldest NATS', natsVersion('2.9.0'), 'ok'],
  ['an older NATS', natsVersion('2.8.4'), 'problem'],
  ['InfluxDB of Debian', influxVersion('influxdb', '1.6.7~rc0'), 'ok'],
  ['InfluxDB 2', influxVersion('influxdb', 'v2.7.1'), 'ok'],
  ['an older InfluxDB', influxVersion('influxdb', '1.5.9'), 'problem'],
] as const)('the version of %s', (_what, finding, level) => {
  expect(finding.level).toBe(level);
});

test.each([
  ['three copies', '2.12.0', { replicas: 3, isSyncAlways: undefined }, 'ok', 'durable'],
  ['three copies of servers that lose them', '2.9.25', { replicas: 3, isSyncAlways: undefined }, 'problem', 'loses'],
  ['one copy, on disk', '2.12.0', { replicas: 1, isSyncAlways: true }, 'ok', 'durable'],
  ['one copy, not on disk', '2.12.0', { replicas: 1, isSyncAlways: false }, 'warning', 'accepted only'],
  ['one copy of a server that cannot', '2.9.10', { replicas: 1, isSyncAlways: undefined }, 'warning', 'accepted only'],
  ['one copy, not reported', '2.12.0', { replicas: 1, isSyncAlways: undefined }, 'unknown', 'is not reported'],
  [
    'no stream yet',
    '2.12.0',
    { replicas: Number.MAX_SAFE_INTEGER, isSyncAlways: undefined },
    'unknown',
    'is not reported',
  ],
] as const)('the delivery class with %s', (_what, version, facts, level, says) => {
  expect(durabilityFinding(version, facts)).toMatchObject({ level, says: expect.stringContaining(says) });
});

test.each([
  ['no difference', 0, 'ok'],
  ['a second behind', -1_000, 'warning'],
  ['just below a second', 999, 'ok'],
  ['ten seconds ahead', 10_000, 'problem'],
] as const)('a clock with %s', (_what, skewMs, level) => {
  expect(clockFinding('nats', skewMs).level).toBe(level);
});

test('clocks ten minutes apart are reported with what to do', () => {
  expect(clockFinding('nats', -600_000)).toEqual({
    about: 'nats',
    level: 'problem',
    says: 'its clock is 600.0 s behind the one here',
    advice: expect.stringContaining('Let a time service (chrony, systemd-timesyncd) run on both machines'),
  });
});

test.each([
  ['an empty one', {}, ['ok']],
  ['one that fills', { bytes: 75 }, ['warning']],
  ['one that is nearly full', { bytes: 95 }, ['problem']],
  ['a full one that drops the oldest', { bytes: 100, whenFull: 'drops' as const }, ['ok']],
  ['one without a limit', { bytes: 100, limitBytes: -1 }, ['ok']],
  ['one with a copy behind', { replicas: 3, currentReplicas: 2 }, ['ok', 'problem']],
  ['one that somebody has changed', { differs: ['max_age'] }, ['ok', 'warning']],
  ['one with another number of copies than nobody knows', { differs: ['num_replicas'] }, ['ok']],
])('a stream: %s', (_what, found, expected) => {
  const usual = {
    bytes: 0,
    limitBytes: 100,
    whenFull: 'refuses' as const,
    replicas: 1,
    currentReplicas: 1,
    differs: [],
  };
  expect(levels(streamFindings([{ name: 'INGEST', found: { ...usual, ...found } }], ['num_replicas']))).toEqual(
    expected,
  );
});

test.each([
  ['one that is up to date', { pending: 0, oldestMs: 0 }, 'ok'],
  ['one with work in hand', { pending: 900, oldestMs: 59_999 }, 'ok'],
  ['one that is slow', { pending: 900, oldestMs: 60_000 }, 'warning'],
  ['one that stands still', { pending: 900, oldestMs: 600_000 }, 'problem'],
  ['one that is not there', undefined, 'problem'],
] as const)('a reader: %s', (_what, found, level) => {
  const reader = { stream: 'INGEST' as const, name: 'writer-0', ...(found && { found }) };
  expect(levels(readerFindings([reader]))).toEqual([level]);
});

test.each([
  ['writer-1', 'historic, and its InfluxDB default'],
  ['writer-b-1', 'historic, and its InfluxDB b'],
  ['alarms-applied-0', 'alarms'],
  ['events-accounts', 'events'],
])('the reader %s stands still: the advice names its service', (name, service) => {
  const [finding] = readerFindings([{ stream: 'INGEST', name, found: { pending: 1, oldestMs: 600_000 } }]);
  expect(finding).toMatchObject({
    about: `reader ${name}`,
    level: 'problem',
    advice: expect.stringContaining(service),
  });
});

test('of many readers that stand still some are named, the others are counted', () => {
  const readers = Array.from({ length: 448 }, (_, n) => ({
    stream: 'INGEST' as const,
    name: `writer-${n}`,
  }));
  const findings = readerFindings(readers);
  expect(findings).toHaveLength(21);
  expect(findings.at(-1)?.says).toContain('428 more');
});

test.each([
  ['no dead letters', deadLetterFindings({}), ['ok']],
  ['dead letters', deadLetterFindings({ 'writer-0': 2, nodes: 1 }), ['warning']],
  ['missing streams', streamFindings([{ name: 'APPLIED' }], []), ['problem']],
  ['a stream without a leader', streamFindings([{ name: 'APPLIED', isLeaderless: true }], []), ['problem']],
  ['records that are kept for ever', retentionFindings([]), ['ok']],
  [
    'records of two accounts that go by age, of one newly',
    retentionFindings([
      { owner_id: 'a', days: 30, next_ms: 0, is_new: false },
      { owner_id: 'b', days: 5, next_ms: 0, is_new: true },
    ]),
    ['warning', 'ok'],
  ],
  ['the partitions of the log', partitionFindings({ partitions: 4 }, 4), []],
  ['other partitions than the log has', partitionFindings({ partitions: 4 }, 8), ['problem']],
  ['a broker with room', [storageFinding(GIB, 10 * GIB)], ['ok']],
  ['a broker that fills', [storageFinding(9 * GIB, 10 * GIB)], ['warning']],
  ['a broker that does not report it', [storageFinding(9 * GIB, undefined)], ['unknown']],
  ['a current schema', [schemaFinding('nodes', { missing: [], unknown: [] })], ['ok']],
  [
    'a schema that misses migrations',
    [schemaFinding('nodes', { missing: ['0002-a'], unknown: ['0003-b'] })],
    ['problem'],
  ],
  ['a schema of a newer version', [schemaFinding('nodes', { missing: [], unknown: ['0003-b'] })], ['warning']],
  ['a sound database', stateFindings(state), ['ok']],
  ['a database without fsync', stateFindings({ ...state, fsync: 'off' }), ['problem', 'ok']],
  ['a database with few connections left', stateFindings({ ...state, connections: 90 }), ['warning']],
  ['a transaction of two hours', stateFindings({ ...state, oldest_seconds: 7_200 }), ['ok', 'warning']],
  ['a database with its standby', stateFindings({ ...state, ...SYNCHRONOUS, standbys: 1 }), ['ok', 'ok']],
  ['a database whose standby is away', stateFindings({ ...state, ...SYNCHRONOUS }), ['problem', 'ok']],
  ['a name that leads to a standby', stateFindings({ ...state, is_standby: true }), ['problem', 'ok']],
  ['a broker that is full', [storageFinding(9.8 * GIB, 10 * GIB)], ['problem']],
  ['a database on a volume with room', [sizeFinding(GIB, OF_10)], ['ok']],
  ['a database that fills its volume', [sizeFinding(9 * GIB, OF_10)], ['warning']],
  ['a database on a full volume', [sizeFinding(9.6 * GIB, OF_10)], ['problem']],
  ['a database on a volume elsewhere', [sizeFinding(9 * GIB, { ...OF_10, limitBytes: undefined })], ['unknown']],
  ['a database on the disk of this machine', [sizeFinding(9 * GIB, { limitBytes: undefined, isHere: true })], ['ok']],
  ['records that fill their volume', [diskFinding('influxdb', 9 * GIB, OF_10)], ['warning']],
  ['an InfluxDB that does not report what it keeps', [diskFinding('influxdb', undefined, OF_10)], ['unknown']],
  ['room on the disk', [spaceFinding(50 * GIB, 100 * GIB)], ['ok']],
  ['little room on a large disk', [spaceFinding(4 * GIB, 100 * GIB)], ['warning']],
  ['little room on a small disk', [spaceFinding(4 * GIB, 8 * GIB)], ['ok']],
  ['no Chromium', [chromiumFinding('/nowhere', '')], ['warning']],
  ['a Chromium that is named', [chromiumFinding('/nowhere', process.execPath)], ['ok']],
  ['a Chromium that is named and not there', [chromiumFinding('/nowhere', '/nowhere/chromium')], ['warning']],
  ['hardly any room', [spaceFinding(GIB / 2, 100 * GIB)], ['problem']],
] as const)('%s', (_what, findings, expected) => {
  expect(levels(findings)).toEqual(expected);
});

const policies = (duration: string) => ({
  results: [
    {
      series: [
        {
          columns: ['name', 'duration', 'default'],
          values: [
            ['other', '1h', false],
            ['autogen', duration, true],
          ],
        },
      ],
    },
  ],
});
test.each([
  ['for ever', policies('0s'), 'ok'],
  ['thirty days', policies('720h0m0s'), 'warning'],
  ['an empty report', { results: [{}] }, 'unknown'],
  ['no database', { error: 'database not found: catchment' }, 'warning'],
  ['nothing for this user', { error: 'authorization failed' }, 'problem'],
] as const)('an InfluxDB that keeps %s', (_what, answer, level) => {
  expect(retentionFinding('influxdb', 'catchment', answer as never).level).toBe(level);
});

test('further InfluxDBs have logins of their own', () => {
  const environment = {
    INFLUX_URL: 'http://a:8086',
    INFLUX_SHARDS: 'north-1=https://b:8087, bad, south=http://c',
    INFLUX_NORTH_1_USER: 'jo',
    INFLUX_NORTH_1_PASSWORD: 'p@:',
  };
  expect(serversOf(environment)).toEqual([
    { about: 'influxdb', url: 'http://a:8086' },
    { about: 'influxdb north-1', url: 'https://jo:p%40%3A@b:8087/' },
    { about: 'influxdb south', url: 'http://c' },
  ]);
});

const NOW = Date.UTC(2030, 0, 1);
test.each([
  ['a year', 365, 'ok'],
  ['29 days', 29, 'warning'],
  ['6 days', 6, 'problem'],
  ['less than nothing', -1, 'problem'],
] as const)('a certificate that holds for %s', (_what, days, level) => {
  expect(expiryFinding('certificate', NOW + days * 86_400_000, NOW).level).toBe(level);
});

test('a file without certificates is reported', () => {
  expect(() => certificateEndMs(Buffer.from('no certificate'), 'chain')).toThrow('the file holds no certificate');
});

const processOf = (service: string, version: string, n = 1) => ({ service, version, process: `pod-${n}:7` });
test.each([
  [
    'one',
    [processOf('nodes', '1.2.0'), processOf('nodes', '1.2.0', 2)],
    'ok',
    /^every process that reports runs 1\.2\.0 \(2\); not reported by render$/,
  ],
  [
    'two, as in an upgrade',
    [processOf('nodes', '1.3.0'), processOf('nodes', '1.2.0', 2), processOf('render', '1.2.0')],
    'warning',
    /^2 versions run: 1\.2\.0 \(nodes, render\), 1\.3\.0 \(nodes\)$/,
  ],
  [
    'three',
    [
      processOf('nodes', '1.3.0'),
      processOf('render', '1.2.0'),
      processOf('render', '1.2.0', 2),
      processOf('alarms', '1.1.0'),
    ],
    'warning',
    /^3 versions run: 1\.1\.0 \(alarms\), 1\.2\.0 \(2 × render\), 1\.3\.0 \(nodes\)$/,
  ],
  ['none', [], 'unknown', /^no process reports/],
] as const)('versions of the services: %s', (_what, processes, level, says) => {
  expect(versionFindings(processes, ['nodes', 'render'])).toMatchObject([{ level, says: expect.stringMatching(says) }]);
});

test('a page of metrics reports the version of its process', () => {
  const labels =
    'service_namespace="catchment",service_name="render",service_version="1.2.0",service_instance_id="vm:47"';
  const page = `# TYPE target_info gauge\ntarget_info{${labels}} 1\nother 1\n`;
  expect(versionOnPage(page)).toEqual([{ service: 'render', version: '1.2.0', process: 'vm:47' }]);
  expect(versionOnPage('<html>')).toEqual([]);
});

test('what only the monitoring port reports has an advice for a pod that does not reach it', () => {
  const unreachable = durabilityFinding('2.12.0', { replicas: 1, isSyncAlways: undefined });
  expect(unreachable.advice).toMatch(
    /NATS_MONITOR_URL.*A pod of the chart.*config\.sync_always in .*\/jsz\?config=true/,
  );
  expect(storageFinding(1, undefined).advice).toContain('config.max_storage');
});

test('certificates are found in settings and in arguments of URLs', () => {
  const environment = {
    SCOUT_TLS_CERT_FILE: '/a',
    NODE_EXTRA_CA_CERTS: '/b',
    SCOUT_TLS_KEY_FILE: '/key',
    DATABASE_URL: 'postgres://db/x?sslmode=verify-full&sslrootcert=/c',
    NATS_URL: 'tls://one:4222?tls_ca=/d,tls://two',
    INFLUX_URL: 'https://influx',
    BASE_URL: 'http://plain',
  };
  expect(certificateFiles(environment).map(({ file }) => file)).toEqual(['/a', '/b', '/c', '/d']);
  expect(tlsServers(environment).map(({ protocol, host, port }) => `${protocol} ${host}:${port}`)).toEqual([
    'postgresql db:5432',
    'nats one:4222',
    'nats two:4222',
    'tls influx:443',
  ]);
  expect(publicServers(environment)).toEqual([]);
  expect(publicServers({ BASE_URL: 'https://[::1]:8443/x' })).toEqual([
    { name: 'the gateway', protocol: 'tls', host: '::1', port: 8443 },
  ]);
});

test.each([
  ['that suffice', 60, {}, 'ok', 'the services take 36 of 57 connections at most'],
  [
    'too few for the pods that are connected',
    60,
    { nodes: 2, processing: 2 },
    'warning',
    'the services may take 72 connections (nodes 2 × 10, processing 2 × 26), and there are 57 for them',
  ],
  ['that suffice to the last one', 39, { nodes: 0 }, 'ok', 'the services take 36 of 36 connections at most'],
] as const)('connections %s', (_what, max_connections, addresses, level, says) => {
  const pools = [
    { service: 'nodes', problems: [], databaseConnections: 10 },
    { service: 'processing', problems: [], databaseConnections: 26 },
    { service: 'gateway', problems: [] },
  ];
  expect(connectionFindings({ max_connections, reserved: 3, addresses }, pools)).toMatchObject([{ level, says }]);
  expect(connectionFindings({ max_connections, reserved: 3, addresses }, [])).toEqual([]);
});

test('settings that services must have alike are compared and never shown', () => {
  const settings = new Map([
    ['nodes', { INGEST_PARTITIONS: '4', SERVICE_TOKEN_SECRET: 'secret-one' }],
    ['historic', { INGEST_PARTITIONS: '8', SERVICE_TOKEN_SECRET: 'secret-two' }],
    ['render', {}],
  ]);
  const findings = unlike(settings);
  expect(findings.map(({ says }) => says)).toEqual([
    'SERVICE_TOKEN_SECRET is not the same for nodes, historic',
    'INGEST_PARTITIONS is not the same for nodes, historic',
  ]);
  expect(JSON.stringify(findings)).not.toContain('secret-');
});

test.each([
  ['{"ready":false,"checks":{"service":"started","postgres":"failed","nats":"ok"}}', 'does not reach postgres'],
  ['{"ready":false,"checks":{"service":"starting"}}', 'is not ready (starting)'],
  ['Bad gateway', 'is not ready'],
])('a service that answers %s', (text, says) => {
  expect(readinessFinding('nodes', text).says).toContain(says);
});

test('a check that hangs or fails is a problem of its own, and holds up no other', async () => {
  const findings = await runChecks(
    [
      { about: 'hangs', advice: 'wait', look: () => new Promise(() => {}) },
      { about: 'fails', advice: 'repair', look: () => Promise.reject(new Error('gone')) },
      { about: 'works', advice: '', look: async () => [ok('works', 'well')] },
    ],
    20,
  );
  expect(findings).toEqual([
    problem('hangs', 'gave no answer within 0.02 s', 'wait'),
    problem('fails', 'gone', 'repair'),
    ok('works', 'well'),
  ]);
});

test('a login that a library quotes in its error is not shown', () => {
  expect(reasonOf(new Error('cannot reach http://jo:s3cret@host:1'))).toBe('cannot reach http://host:1');
  expect(withoutLogin('nats://jo:s3cret@a:1,nats://b:2?x=y')).toBe('nats://a:1, nats://b:2');
});

test('the report has a line for each finding, what to do below it, and a summary', () => {
  expect(reportLines([ok('nats', 'version 2.12'), warning('dead letters', '2 messages', 'Retry them.')])).toEqual([
    'ok       nats          version 2.12',
    'WARNING  dead letters  2 messages',
    '                       → Retry them.',
    '',
    '0 problems, 1 warning, 0 not known, 1 ok',
  ]);
});

test.each([
  ['postgresql', 'postgresql=10Gi,nats=8Gi', 10 * GIB],
  ['nats', 'postgresql=10Gi,nats=8.5Gi', 8.5 * GIB],
  ['nats', 'nats=500M', 500_000_000],
  ['nats', 'nats=1073741824', GIB],
  ['influxdb b', 'influxdb=20Gi', undefined],
  ['nats', 'nats=big', undefined],
  ['nats', '', undefined],
])('the volume of %s in %j', (server, BACKEND_VOLUMES, limitBytes) => {
  expect(volumeOf({ environment: { BACKEND_VOLUMES } }, server)).toEqual({ limitBytes, isHere: false });
});

test('writes that a store refuses to several processes are one problem, with the words of the store', () => {
  const process = (service: string, ...refused: object[]) => ({
    service,
    process: `${service}:1`,
    version: '1',
    refused,
  });
  const nats = { store: 'nats', part: 'INGEST', reason: 'full', says: 'insufficient resources' };
  const influx = { store: 'influxdb', part: 'west', reason: 'full', says: 'no space left on device' };
  const refusals = [
    process('historic', nats, influx),
    process('historic', nats),
    process('nodes', nats),
    process('alarms'),
  ];
  expect(refusalFindings(refusals as never)).toMatchObject([
    {
      level: 'problem',
      says: 'nats, stream INGEST, has no room (insufficient resources), reported by historic, nodes',
    },
    { level: 'problem', says: 'influxdb, shard west, has no room (no space left on device), reported by historic' },
  ]);
  expect(refusalFindings([process('alarms')] as never)).toMatchObject([{ level: 'ok', about: 'writes' }]);
  // A broker that nobody answers at says nothing of writes.
  expect(refusalFindings([])).toEqual([]);
});
