import { config } from './config.ts';

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
  expect(config.read(GOOD)).toMatchObject({
    scout: { host: '127.0.0.1', port: 4331, tlsPort: 4334 },
    callback: { host: '127.0.0.1', port: 4332, tlsPort: 4335 },
    remote: { ports: undefined },
    databaseSchema: 'devices',
    partitions: 4,
    databaseConnections: 10,
  });
});

test.each([
  ['SERVICE_TOKEN_SECRET', 'short'],
  ['DATABASE_URL', 'http://x'],
  ['DATABASE_SCHEMA', 'a;b'],
  ['CLASS_NAMESPACE', "a'b"],
  ['DATABASE_CONNECTIONS', '5'],
  ['SCOUT_PORT', '70000'],
  ['SCOUT_IDENT_SECONDS', '0'],
  ['CALLBACK_PORT', 'x'],
  ['REMOTE_PORTS', '4409-4400'],
  ['REMOTE_PORTS', '1-65535'],
  ['NODES_ADDRESS', ''],
])('%s = %j stops the start and is named', (name, value) => {
  expect(() => config.read({ ...GOOD, [name]: value })).toThrow(name);
});

test('remote access is open on a range of ports', () => {
  const remote = { REMOTE_PORTS: '4400-4409', REMOTE_HOST: '0.0.0.0', REMOTE_PUBLIC_HOST: 'field.example.com' };
  expect(config.read({ ...GOOD, ...remote }).remote).toEqual({
    host: '0.0.0.0',
    publicHost: 'field.example.com',
    ports: { first: 4400, last: 4409 },
  });
});
