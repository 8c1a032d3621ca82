import { ConfigError } from '@catchment/config';
import { config } from './config.ts';

const GOOD = {
  GRPC_PORT: '5000',
  HEALTH_PORT: '5001',
  SERVICE_TOKEN_SECRET: 's'.repeat(32),
  NATS_URL: 'nats://127.0.0.1:4222',
  DATABASE_URL: 'postgres://127.0.0.1/catchment',
  NODES_ADDRESS: '127.0.0.1:5002',
};

test('defaults', () => {
  expect(config.read(GOOD)).toMatchObject({
    databaseSchema: 'events',
    classNamespace: 'io.svc',
    debugRetentionDays: 30,
    monthsMax: 72,
    partitions: 4,
    webhooks: { allowsHttp: false, allowedRanges: [] },
  });
});

test('ranges that webhooks may reach', () => {
  const { webhooks } = config.read({ ...GOOD, WEBHOOK_ALLOWED_RANGES: '10.0.0.0/8, fd00::/8' });
  expect(webhooks.allowedRanges.map(([address, bits]) => `${address}/${bits}`)).toEqual(['10.0.0.0/8', 'fd00::/8']);
  expect(() => config.read({ ...GOOD, WEBHOOK_ALLOWED_RANGES: '10.0.0.0/8,intranet' })).toThrow(
    'WEBHOOK_ALLOWED_RANGES must be address ranges',
  );
});

test('every bad variable is named, its value never', () => {
  const bad = { ...GOOD, SERVICE_TOKEN_SECRET: 'hunter2', CLASS_NAMESPACE: "io'; --", DATABASE_SCHEMA: 'A B' };
  try {
    config.read(bad);
    throw new Error('accepted');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    for (const name of ['SERVICE_TOKEN_SECRET', 'CLASS_NAMESPACE', 'DATABASE_SCHEMA']) expect(message).toContain(name);
    expect(message).not.toContain('hunter2');
  }
});
