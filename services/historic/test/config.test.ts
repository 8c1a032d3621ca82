import { config } from '../src/config.ts';

const ENV = {
  GRPC_PORT: '0',
  HEALTH_PORT: '0',
  SERVICE_TOKEN_SECRET: 'x'.repeat(32),
  NATS_URL: 'nats://a',
  DATABASE_URL: 'postgres://a/b',
  NODES_ADDRESS: 'a:1',
  INFLUX_URL: 'http://a:8086',
};

test('shards have logins of their own, and new workspaces go where there are the fewest series', () => {
  const env = {
    ...ENV,
    INFLUX_SHARDS: 'b=http://b:8086, c=https://c/influx',
    INFLUX_C_USER: 'jo',
    INFLUX_C_PASSWORD: 'p,=@',
  };
  expect(config.read(env)).toMatchObject({
    newShard: undefined,
    shards: [
      { name: 'default', url: 'http://a:8086' },
      { name: 'b', url: 'http://b:8086' },
      { name: 'c', url: 'https://jo:p%2C%3D%40@c/influx' },
    ],
  });
  expect(config.read({ ...env, INFLUX_NEW_SHARD: 'c' }).newShard).toBe('c');
  expect(config.read(ENV).shards).toEqual([{ name: 'default', url: 'http://a:8086' }]);
});

test.each([
  ['a shard without a name', { INFLUX_SHARDS: 'http://s3cret:8086' }, 'INFLUX_SHARDS must be name=http://'],
  ['the name of the first one', { INFLUX_SHARDS: 'default=http://s3cret' }, 'INFLUX_SHARDS must be name=http://'],
  ['a name twice', { INFLUX_SHARDS: 'b=http://s3cret,b=http://s3cret' }, 'INFLUX_SHARDS must be name=http://'],
  ['a name with other characters', { INFLUX_SHARDS: 'b-1=http://s3cret' }, 'INFLUX_SHARDS must be name=http://'],
  ['another protocol', { INFLUX_SHARDS: 'b=ftp://s3cret' }, 'INFLUX_SHARDS must be name=http://'],
  ['new workspaces for nobody', { INFLUX_NEW_SHARD: 's3cret' }, 'INFLUX_NEW_SHARD must be fewest, default or'],
  ['a grace that ends before reads do', { SHARD_GRACE_SECONDS: '5' }, 'must not be below REQUEST_MAX_SECONDS'],
])('%s stops the start, without the value', (_what, change, text) => {
  expect(() => config.read({ ...ENV, ...change })).toThrow(text);
  expect(() => config.read({ ...ENV, ...change })).not.toThrow('s3cret');
});

test('rules of several settings are reported with all other problems', () => {
  const env = { ...ENV, INFLUX_NEW_SHARD: 'x', SHARD_GRACE_SECONDS: '5', READ_CONCURRENCY: '0' };
  expect(() => config.read(env)).toThrow(/READ_CONCURRENCY.*\n.*INFLUX_NEW_SHARD.*\n.*SHARD_GRACE_SECONDS/);
});

test('connections to PostgreSQL: 10 unless fewer are given, 3 at least', () => {
  expect(config.read(ENV).databaseConnections).toBe(10);
  expect(config.read({ ...ENV, DATABASE_CONNECTIONS: '3' }).databaseConnections).toBe(3);
  expect(() => config.read({ ...ENV, DATABASE_CONNECTIONS: '2' })).toThrow('DATABASE_CONNECTIONS must be');
});
