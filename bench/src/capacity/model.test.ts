import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { capacityPage, PAGE } from './build-page.ts';
import { figuresOf, measuredFigures } from './figures.ts';
import {
  CONNECTIONS,
  capacity,
  type Demand,
  type Figures,
  type Plan,
  type Process,
  SCALED,
  SERVICES,
  valuesOf,
} from './model.ts';

/** The figures are round, so that results can be reckoned by hand. */
const FIGURES: Figures = {
  message: { http: { gateway: 0.5, historic: 0.5, influxdb: 0.1 }, mqtt: { devices: 0.05, historic: 0.05 } },
  value: { historic: 0.001, influxdb: 0.002 },
  states: { alarms: 0.001 },
  computed: { processing: 0.02 },
  read: { historic: 5, influxdb: 20 },
  chart: { render: 50 },
  report: { render: 1_000 },
  memory: Object.fromEntries(SERVICES.map((service) => [service, 512])) as Figures['memory'],
  bytes: { record: 5, node: 2_000, event: 500, logMessage: 800, logValue: 10 },
};
const DEMAND: Demand = {
  sources: 1_000,
  parameters: 3,
  intervalSeconds: 10,
  recordsPerMessage: 1,
  transport: 'http',
  statesPercent: 0,
  computedPercent: 0,
  years: 1,
  viewers: 0,
  chartsPerHour: 0,
  reportsPerDay: 0,
  isRedundant: true,
};
const plan = (demand: Partial<Demand>): Plan => capacity({ ...DEMAND, ...demand }, FIGURES);
const part = ({ parts }: Plan, process: Process) => parts.find((part) => part.process === process);

test.each([
  ['messages of one record', {}, { gateway: 0.05, historic: 0.05, influxdb: 0.01 }],
  [
    'messages of ten records: a tenth of them, with 27 further values',
    { recordsPerMessage: 10 },
    { gateway: 0.005, historic: 0.005 + 0.00027 },
  ],
  ['MQTT', { transport: 'mqtt' }, { gateway: 0, devices: 0.005, historic: 0.005 }],
  ['states of half of the values', { statesPercent: 50 }, { alarms: 0.00015 }],
  ['programs of a tenth of them', { computedPercent: 10 }, { processing: 0.0006 }],
  ['people who look', { viewers: 100 }, { historic: 0.05 + 0.05, influxdb: 0.01 + 0.2 }],
  ['charts and reports', { chartsPerHour: 3_600, reportsPerDay: 86_400 }, { render: 1.05 }],
] as [string, Partial<Demand>, Partial<Record<Process, number>>][])('cores in use by %s', (_what, demand, expected) => {
  const found = plan(demand);
  for (const [process, cores] of Object.entries(expected))
    expect([process, part(found, process as Process)?.cores]).toEqual([process, expect.closeTo(cores, 3)]);
});

test.each([
  ['little, redundant: two of each', {}, { gateway: 2, historic: 2, postgresql: 2, nats: 3, influxdb: 1 }],
  ['little, not redundant: one of each', { isRedundant: false }, { gateway: 1, historic: 1, postgresql: 1, nats: 1 }],
  ['much: pods are half used', { sources: 40_000 }, { gateway: 4, historic: 4 }],
  ['more than one InfluxDB carries', { sources: 600_000 }, { influxdb: 2 }],
  ['more series than one InfluxDB carries', { sources: 1_000_000, intervalSeconds: 86_400 }, { influxdb: 3 }],
] as [string, Partial<Demand>, Partial<Record<Process, number>>][])('replicas for %s', (_what, demand, expected) => {
  const found = plan(demand);
  for (const [process, replicas] of Object.entries(expected))
    expect([process, part(found, process as Process)?.replicas]).toEqual([process, replicas]);
});

test('disk: records of all years, events of 30 days, nodes', () => {
  // 300 values/s × 31 536 000 s × 2 years × 5 bytes × 1.6 = 141 GiB.
  expect(part(plan({ years: 2 }), 'influxdb')?.diskGib).toBe(141);
  // 1000 sources / 60 s × 30 days × 500 bytes × 2 = 40.2 GiB, and 4000 nodes of 2000 bytes.
  expect(part(plan({}), 'postgresql')?.diskGib).toBe(41);
  expect(part(plan({ years: 0, sources: 0 }), 'influxdb')?.diskGib).toBe(1);
});

test('the time that InfluxDB may be away is what fills the log', () => {
  // 2 GiB / (100 messages/s × 800 bytes).
  expect(plan({}).awayHours).toBeCloseTo(7.46, 2);
  expect(plan({ sources: 0 }).awayHours).toBe(Number.POSITIVE_INFINITY);
  expect(plan({ sources: 10_000 }).notes.join()).toContain('ingest log is full');
});

test.each([
  ['small', { isRedundant: false }],
  ['medium', {}],
  ['large', { sources: 600_000 }],
] as [Plan['size'], Partial<Demand>][])('values to begin with: %s', (size, demand) => {
  expect(plan(demand).size).toBe(size);
});

const ROOT = path.resolve(import.meta.dirname, '../../..');
type Workload = { replicas?: number; autoscaling?: { enabled?: boolean; minReplicas?: number; maxReplicas?: number } };
const chartValues = async (size: Plan['size']) =>
  parse(await readFile(path.join(ROOT, `deploy/chart/catchment/values-${size}.yaml`), 'utf8')) as Record<
    string,
    Workload | undefined
  >;

test.each(['small', 'medium', 'large'] as const)(
  'the chart scales in values-%s.yaml what the plan says',
  async (size) => {
    const values = await chartValues(size);
    const isScaled = (service: string) =>
      values[service]?.autoscaling?.enabled ?? values.workload?.autoscaling?.enabled ?? false;
    expect(SERVICES.filter(isScaled)).toEqual(SCALED[size]);
  },
);

test.each([
  ['small', { isRedundant: false }, { gateway: { replicas: 1 }, historic: { replicas: 1 } }],
  [
    'medium',
    { sources: 40_000 },
    { historic: { autoscaling: { minReplicas: 4, maxReplicas: 8 } }, nodes: { replicas: 2 } },
  ],
  [
    'large',
    { sources: 600_000 },
    {
      historic: { autoscaling: { minReplicas: 60, maxReplicas: 120 } },
      render: { autoscaling: { minReplicas: 2, maxReplicas: 4 } },
    },
  ],
] as [Plan['size'], Partial<Demand>, Record<string, Workload>][])(
  'values over those of %s are the ones that decide',
  (size, demand, expected) => {
    const found = plan(demand);
    expect(found.size).toBe(size);
    expect(parse(valuesOf(found, { ...DEMAND, ...demand }))).toMatchObject(expected);
  },
);

test('PostgreSQL has connections for all pods, one more of each while they roll, and 20', () => {
  expect(plan({ isRedundant: false }).connections).toBe(2 * 82 + 20);
  // historic gets four pods at most.
  expect(plan({}).connections).toBe(3 * 72 + 5 * 10 + 20);
  expect(plan({ sources: 40_000 }).connections).toBe(3 * 72 + 9 * 10 + 20);
});

test('pods take as many connections as their services have by default', async () => {
  const env = {
    GRPC_PORT: '1',
    HEALTH_PORT: '1',
    SERVICE_TOKEN_SECRET: 'x'.repeat(32),
    NATS_URL: 'nats://a',
    DATABASE_URL: 'postgres://a/b',
    INFLUX_URL: 'http://a',
    HTTP_PORT: '1',
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_ADDRESS`, 'a:1'])),
  };
  const found: Record<string, number> = {};
  for (const service of SERVICES) {
    if (!existsSync(path.join(ROOT, 'services', service, 'migrations'))) continue;
    const file = pathToFileURL(path.join(ROOT, 'services', service, 'src/config.ts')).href;
    const { config } = (await import(file)) as {
      config: { read: (env: NodeJS.ProcessEnv) => { databaseConnections: number } };
    };
    found[service] = config.read(env).databaseConnections;
  }
  expect(found).toEqual(CONNECTIONS);
});

test('partitions leave room for twice the pods, and are 64 at most', () => {
  expect(
    [plan({ isRedundant: false }), plan({}), plan({ sources: 40_000 }), plan({ sources: 9_000_000 })].map(
      (plan) => plan.partitions,
    ),
  ).toEqual([1, 4, 8, 64]);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%s sources are refused', (sources) => {
  expect(() => plan({ sources })).toThrow('sources must be a number from 0 up');
});

test('every figure names what it is, how it is measured and when', async () => {
  const measured = await measuredFigures();
  for (const { name, what, command, date, unit } of measured.figures) {
    expect([name, what.length > 5, unit.length > 1]).toEqual([name, true, true]);
    expect(command).toMatch(/^(npm run bench -- --only \S+|node bench\/src\/\S+\.ts)/);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  expect(() => figuresOf({ ...measured, figures: [] })).toThrow('figures.json has no message.http');
});

test('the page has the formula and the figures of now (node bench/src/capacity/build-page.ts)', async () => {
  expect(await readFile(PAGE, 'utf8')).toBe(await capacityPage());
});
