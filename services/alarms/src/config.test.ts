import { ConfigError } from '@catchment/config';
import { config } from './config.ts';

const GOOD = {
  GRPC_PORT: '5000',
  HEALTH_PORT: '5001',
  SERVICE_TOKEN_SECRET: 's'.repeat(32),
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://127.0.0.1/catchment',
  NODES_ADDRESS: '127.0.0.1:5002',
  HISTORIC_ADDRESS: '127.0.0.1:5003',
};

test('defaults', () => {
  expect(config.read(GOOD)).toMatchObject({
    databaseSchema: 'alarms',
    partitions: 4,
    databaseConnections: 10,
  });
});

test('streams and subjects have a prefix where one is set', () => {
  expect(config.read(GOOD).busOptions).toEqual({ prefix: '' });
  expect(config.read({ ...GOOD, NATS_PREFIX: 'trial' }).busOptions).toEqual({ prefix: 'trial' });
});

test('every bad variable is named, its value never', () => {
  const bad = { ...GOOD, SERVICE_TOKEN_SECRET: 'hunter2', DATABASE_SCHEMA: 'A B', DATABASE_CONNECTIONS: '3' };
  try {
    config.read(bad);
    throw new Error('accepted');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    for (const name of ['SERVICE_TOKEN_SECRET', 'DATABASE_SCHEMA', 'DATABASE_CONNECTIONS'])
      expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  }
});
