import { runArguments } from './container.ts';
import { influxConfig } from './influx-config.ts';
import { natsConfig } from './nats.ts';

const state = { ports: [], user: 'catchment', password: 'secret' };
const nats = { host: '127.0.0.1', port: 4222, folder: '/data', state } as const;

test.each([
  ['durable', true],
  ['accepted', false],
] as const)('NATS of class %s fsyncs every message: %s', (deliveryClass, isSynced) => {
  expect(natsConfig({ ...nats, deliveryClass }).includes('sync_interval: always')).toBe(isSynced);
});

test('NATS asks for a login and bounds its store', () => {
  const config = natsConfig({ ...nats, deliveryClass: 'accepted', maxFileStoreBytes: 1_000 });
  expect(config).toContain('user: "catchment"\n  password: "secret"');
  expect(config).toContain('max_file_store: 1000\n');
});

test('a server of a NATS cluster knows the ways to the others', () => {
  const cluster = { name: 'nats-1', routePorts: [6001, 6000, 6002] };
  const config = natsConfig({ ...nats, deliveryClass: 'accepted', cluster });
  expect(config).toContain('server_name: nats-1\n');
  expect(config).toContain('listen: "127.0.0.1:6001"');
  expect(config).toContain(
    'routes: ["nats-route://catchment:secret@127.0.0.1:6000", "nats-route://catchment:secret@127.0.0.1:6002"]',
  );
});

test('InfluxDB listens where its settings say, asks for a login and reports to nobody', () => {
  const config = influxConfig({ folder: '/d', host: '127.0.0.1', httpPort: 1, backupPort: 2 });
  expect(config).toContain('bind-address = "127.0.0.1:1"');
  expect(config).toContain('bind-address = "127.0.0.1:2"');
  expect(config).toContain('auth-enabled = true');
  expect(config).toContain('reporting-disabled = true');
});

test('a container is published on the given address only, and no secret is in its arguments', () => {
  const words = runArguments(
    {
      kind: 'postgres',
      folder: '/f',
      host: '127.0.0.1',
      port: 5000,
      containerPort: 5432,
      mount: { from: '/f/files', to: '/data' },
      environment: { POSTGRES_PASSWORD: 'secret' },
      arguments: ['postgres'],
    },
    'catchment-postgres-1',
    '/f/container.env',
  );
  expect(words).toEqual(expect.arrayContaining(['--publish', '127.0.0.1:5000:5432', '--env-file', '/f/container.env']));
  expect(words.join(' ')).not.toContain('secret');
  expect(words.at(-1)).toBe('postgres');
});
