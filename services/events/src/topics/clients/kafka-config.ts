import { readFileSync } from 'node:fs';
import type { EnvReader } from '@catchment/config';

const TOPICS = ['events', 'alarms', 'records'] as const;
export type TopicKind = (typeof TOPICS)[number];

const MECHANISMS = ['none', 'PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

export type KafkaConfig = {
  /** host:port */
  readonly brokers: readonly string[];
  readonly topics: readonly TopicKind[];
  readonly topicPrefix: string;
  /** Absent = plain TCP. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
  readonly sasl?: {
    readonly mechanism: Exclude<(typeof MECHANISMS)[number], 'none'>;
    username: string;
    password: string;
  };
};

/**
 * Reads the settings of the topics; see README.
 * @returns undefined where KAFKA_BROKERS is not set: then there are none
 */
export function readKafkaConfig(read: EnvReader): KafkaConfig | undefined {
  const brokers = read.list('KAFKA_BROKERS', { fallback: [] });
  if (brokers.length === 0) return undefined;
  const check = (holds: boolean, name: string, rule: string) => read.check([name], holds, `${name} ${rule}`);
  check(
    brokers.every((broker) => /^[^\s:/]+:\d{1,5}$/.test(broker)),
    'KAFKA_BROKERS',
    'must be a list of host:port with commas',
  );
  const listed = read.list('KAFKA_TOPICS', { fallback: ['events', 'alarms'] });
  const topics = TOPICS.filter((topic) => listed.includes(topic));
  check(topics.length === new Set(listed).size, 'KAFKA_TOPICS', `must be a list of ${TOPICS.join(', ')} with commas`);
  const mechanism = read.oneOf('KAFKA_SASL_MECHANISM', MECHANISMS, { fallback: 'none' });
  const topicPrefix = read.text('KAFKA_TOPIC_PREFIX', {
    fallback: 'catchment',
    pattern: /^[A-Za-z0-9._-]{1,200}$/,
    rule: 'must have letters, digits, dots, hyphens and underscores only',
  });
  const file = (name: string) => {
    const path = read.optionalText(name);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch {
      check(false, name, 'must name a file that can be read');
      return undefined;
    }
  };
  const [ca, cert, key] = [file('KAFKA_TLS_CA'), file('KAFKA_TLS_CERT'), file('KAFKA_TLS_KEY')];
  const isWhole = (cert === undefined) === (key === undefined);
  read.check(['KAFKA_TLS_CERT', 'KAFKA_TLS_KEY'], isWhole, 'KAFKA_TLS_CERT and KAFKA_TLS_KEY must be given together');
  const isTls = read.bool('KAFKA_TLS', { fallback: false }) || ca || cert || key;
  return {
    brokers,
    topics,
    topicPrefix,
    ...(isTls && { tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }),
    ...(mechanism !== 'none' && {
      sasl: { mechanism, username: read.text('KAFKA_USERNAME'), password: read.text('KAFKA_PASSWORD') },
    }),
  };
}
