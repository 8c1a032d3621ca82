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
    databaseSchema: 'processing',
    runners: 2,
    loops: 4,
    databaseConnections: 26,
    partitions: 4,
  });
});

test.each([
  ['1', 13, 8],
  ['4', 26, 20],
  ['64', 296, 260],
])('with %s loops %i connections are taken, and %i are the fewest', (PROCESSING_LOOPS, usual, least) => {
  const env = { ...GOOD, PROCESSING_LOOPS };
  expect(config.read(env).databaseConnections).toBe(usual);
  expect(config.read({ ...env, DATABASE_CONNECTIONS: `${least}` }).databaseConnections).toBe(least);
  expect(() => config.read({ ...env, DATABASE_CONNECTIONS: `${least - 1}` })).toThrow(
    `DATABASE_CONNECTIONS must be a whole number from ${least} to 500`,
  );
});

test('every bad variable is named, its value never', () => {
  const bad = { ...GOOD, SERVICE_TOKEN_SECRET: 'hunter2', DATABASE_SCHEMA: 'A B' };
  try {
    config.read(bad);
    throw new Error('accepted');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    for (const name of ['SERVICE_TOKEN_SECRET', 'DATABASE_SCHEMA']) expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  }
});
