import { readConfig } from './config.ts';

const GOOD = {
  GRPC_PORT: '1',
  HEALTH_PORT: '2',
  SERVICE_TOKEN_SECRET: 'x'.repeat(32),
  NATS_URL: 'nats://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  NODES_ADDRESS: 'n:1',
  HISTORIC_ADDRESS: 'h:1',
};

test('defaults are those of the README', () => {
  expect(readConfig(GOOD)).toMatchObject({
    scoutHost: '127.0.0.1',
    scoutPort: 4331,
    databaseSchema: 'devices',
    partitions: 4,
  });
});

test.each([
  ['SERVICE_TOKEN_SECRET', 'short'],
  ['DATABASE_URL', 'http://x'],
  ['DATABASE_SCHEMA', 'a;b'],
  ['CLASS_NAMESPACE', "a'b"],
  ['SCOUT_PORT', '70000'],
  ['SCOUT_IDENT_SECONDS', '0'],
  ['NODES_ADDRESS', ''],
])('%s = %j stops the start and is named', (name, value) => {
  expect(() => readConfig({ ...GOOD, [name]: value })).toThrow(name);
});
