import { serviceEnvironment as seenBy } from '@catchment/config';
import { LISTENER_NAMES } from '@catchment/contracts/transports';
import { memorySettings, PROCESSES, serviceArguments, serviceProcesses, stopWaves } from './processes.ts';
import { type Ports, processEnvironment, SERVICES, type ServiceName, type ServiceOptions } from './service-table.ts';

const portsFrom = (first: number) =>
  Object.fromEntries(SERVICES.map((name, n) => [name, first + n])) as Record<ServiceName, number>;
const listeners = Object.fromEntries(LISTENER_NAMES.map((name, n) => [name, 3_000 + n])) as Ports['listeners'];
const replica = { name: 'devices-2', listeners, grpc: 5_000, health: 5_001 };
const PORTS: Ports = { http: 8_080, listeners, replicas: [replica], grpc: portsFrom(1_000), health: portsFrom(2_000) };
const OPTIONS: ServiceOptions = {
  ports: PORTS,
  host: '127.0.0.1',
  baseUrl: 'http://127.0.0.1:8080',
  hostKeyFile: 'key.pem',
  backends: { postgresUrl: 'postgres://x', natsUrl: 'nats://x', influxUrl: 'http://x', moreInfluxUrls: new Map() },
  serviceTokenSecret: 'secret',
  partitions: 1,
};

let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = process.env;
  process.env = {};
});
afterEach(() => {
  process.env = before;
});

test.each(PROCESSES)(
  'with --processes %s every service runs once, and further processes of devices alone',
  (choice) => {
    const processes = serviceProcesses(choice, PORTS);
    expect(processes.flatMap(({ members }) => members).sort()).toEqual([...SERVICES, 'devices-2'].sort());
    expect(processes.at(-1)).toMatchObject({ name: 'devices-2', services: ['devices'] });
  },
);

test.each([
  ['1', [['devices-2'], [], ['services']]],
  ['2', [['devices-2'], ['front'], ['core']]],
  ['each', [['devices', 'processing', 'gateway', 'devices-2'], ['historic', 'alarms', 'events', 'render'], ['nodes']]],
] as const)('with --processes %s what answers calls ends after what calls it', (choice, expected) => {
  expect(stopWaves(serviceProcesses(choice, PORTS))).toEqual(expected);
});

test('each service of a process has ports and a schema of its own, and finds those of other processes by their addresses', () => {
  const env = processEnvironment(['gateway', 'devices', 'events', 'render'], OPTIONS);
  expect(seenBy(env, 'events')).toMatchObject({
    GRPC_PORT: '1003',
    HEALTH_PORT: '2003',
    DATABASE_SCHEMA: 'events',
    NODES_ADDRESS: '127.0.0.1:1000',
  });
  expect(seenBy(env, 'gateway')).toMatchObject({ HEALTH_PORT: '2007', HTTP_PORT: '8080' });
  for (const local of ['EVENTS_ADDRESS', 'DEVICES_ADDRESS', 'RENDER_ADDRESS'])
    expect(seenBy(env, 'gateway')[local]).toBeUndefined();
});

test('an address that was given holds within a process, too', () => {
  process.env = { EVENTS_ADDRESS: '127.0.0.1:9' };
  expect(processEnvironment(['gateway', 'events'], OPTIONS).EVENTS_ADDRESS).toBe('127.0.0.1:9');
});

test('a process has the logins of its services, and no others', () => {
  process.env = { SMTP_URL: 'smtp://x', KAFKA_PASSWORD: 'x' };
  const front = processEnvironment(['gateway', 'devices', 'events', 'render'], OPTIONS);
  expect([front.INFLUX_URL, front.SMTP_URL, front.KAFKA_PASSWORD]).toEqual([undefined, undefined, 'x']);
  const core = processEnvironment(['nodes', 'historic', 'alarms', 'processing'], OPTIONS);
  expect([core.INFLUX_URL, core.SMTP_URL, core.KAFKA_PASSWORD]).toEqual(['http://x', 'smtp://x', undefined]);
});

test('a process of one service is run as that service, one of several as any of several', async () => {
  expect(await serviceArguments('nodes')).toEqual(expect.arrayContaining([expect.stringMatching(/^--max-old-space/)]));
  expect((await serviceArguments('nodes', 'historic')).slice(-2)).toEqual(['nodes', 'historic']);
  expect(await memorySettings(['nodes', 'historic'])).toMatchObject({ MALLOC_ARENA_MAX: '2' });
});
