import { envReader } from '@catchment/config';
import { readKafkaConfig } from './kafka-config.ts';

const read = (env: Record<string, string>) => {
  const reader = envReader(env);
  const config = readKafkaConfig(reader);
  reader.done();
  return config;
};

test('without brokers there are no topics', () => {
  expect(read({ KAFKA_TOPICS: 'events', KAFKA_TLS: 'true' })).toBeUndefined();
});

test('defaults: events and alarms, without TLS and login', () => {
  expect(read({ KAFKA_BROKERS: 'a:9092, b:9092' })).toEqual({
    brokers: ['a:9092', 'b:9092'],
    topics: ['events', 'alarms'],
    topicPrefix: 'catchment',
  });
});

test('topics, TLS with an authority of its own, and a login', () => {
  const env = {
    KAFKA_BROKERS: 'a:9093',
    KAFKA_TOPICS: 'records,events',
    KAFKA_TOPIC_PREFIX: 'site-1',
    KAFKA_TLS_CA: import.meta.filename,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_USERNAME: 'jo',
    KAFKA_PASSWORD: 'secret',
  };
  expect(read(env)).toMatchObject({
    topics: ['events', 'records'],
    topicPrefix: 'site-1',
    tls: { ca: expect.any(Buffer) },
    sasl: { mechanism: 'SCRAM-SHA-512', username: 'jo', password: 'secret' },
  });
  expect(read({ KAFKA_BROKERS: 'a:9093', KAFKA_TLS: 'true' })).toMatchObject({ tls: {} });
});

test.each([
  ['KAFKA_BROKERS', { KAFKA_BROKERS: 'kafka://a:9092' }],
  ['KAFKA_BROKERS', { KAFKA_BROKERS: 'a' }],
  ['KAFKA_TOPICS', { KAFKA_TOPICS: 'events,nodes' }],
  ['KAFKA_TOPIC_PREFIX', { KAFKA_TOPIC_PREFIX: 'a b' }],
  ['KAFKA_SASL_MECHANISM', { KAFKA_SASL_MECHANISM: 'GSSAPI' }],
  ['KAFKA_USERNAME', { KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_PASSWORD: 'hunter2' }],
  ['KAFKA_PASSWORD', { KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_USERNAME: 'jo' }],
  ['KAFKA_TLS_CA', { KAFKA_TLS_CA: '/nowhere/ca.crt' }],
  ['KAFKA_TLS_KEY', { KAFKA_TLS_CERT: import.meta.filename }],
])('a wrong %s is named: %j', (name, env) => {
  expect(() => read({ KAFKA_BROKERS: 'a:9092', ...env })).toThrow(name);
});
