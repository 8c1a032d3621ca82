import { join } from 'node:path';
import { streamMaxBytes } from '@catchment/bus';
import {
  type EnvReader,
  envReader,
  requestMaxSeconds,
  responseMaxBytes,
  responseMaxFields,
  withBackendLogins,
} from '@catchment/config';
import { databaseConnections } from '@catchment/pg';
import { databaseSchema, type Environment, serviceConfig } from '@catchment/service';
import { DEFAULT_SHARD } from './records/index.ts';

const MIB = 1024 * 1024;

/** Names what historic uses, and its settings (README, «Settings»). */
export const config = serviceConfig({
  name: 'historic',
  uses: {
    peers: ['nodes'],
    bus: { options: (read) => ({ maxBytes: streamMaxBytes(read) }) },
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      connections: (read) => databaseConnections(read, { held: 0, usual: 10 }),
    },
  },
  settings,
});

function settings(read: EnvReader, env: Environment) {
  const config = {
    ...influxConfig(read),
    newShard: read.text('INFLUX_NEW_SHARD', { fallback: 'fewest' }),
    shardGraceSeconds: read.int('SHARD_GRACE_SECONDS', { min: 1, max: 30 * 86_400, fallback: 600 }),
    presenceOnAllRecords: read.bool('PRESENCE_ON_ALL_RECORDS', { fallback: false }),
    responseMaxFields: responseMaxFields(read),
    responseMaxBytes: responseMaxBytes(read),
    requestMaxSeconds: requestMaxSeconds(read),
    rowsPerSourcePerDay: read.int('ROWS_PER_SOURCE_PER_DAY', { min: 0, max: 100_000_000, fallback: 100_000 }),
    /** 0 = for ever. */
    recordDays: read.int('RECORD_DAYS', { min: 0, max: 36_500, fallback: 0 }),
    /** 0 = none are kept. */
    recentRecordsBytes: read.int('RECENT_RECORDS_MIB', { min: 0, max: 16_384, fallback: 64 }) * MIB,
    readConcurrency: read.int('READ_CONCURRENCY', { min: 1, max: 256, fallback: 8 }),
  };
  const { otherShards, newShard } = config;
  read.check(
    ['INFLUX_NEW_SHARD', 'INFLUX_SHARDS'],
    ['fewest', DEFAULT_SHARD, ...otherShards.map(({ name }) => name)].includes(newShard),
    `INFLUX_NEW_SHARD must be fewest, ${DEFAULT_SHARD} or a name of INFLUX_SHARDS`,
  );
  read.check(
    ['SHARD_GRACE_SECONDS', 'REQUEST_MAX_SECONDS'],
    config.shardGraceSeconds >= config.requestMaxSeconds,
    'SHARD_GRACE_SECONDS must not be below REQUEST_MAX_SECONDS: a read may take so long',
  );
  const shards = allShards(config, env);
  return { ...config, shards, newShard: newShard === 'fewest' ? undefined : newShard };
}

const SHARDS_RULE =
  'must be name=http://host:port with commas between them: distinct names of up to 20 lower-case letters and digits, not default';

type ShardSetting = { readonly name: string; readonly url: string };

/** @returns undefined where an item breaks the rule */
function shardsIn(items: readonly string[]): readonly ShardSetting[] | undefined {
  const shards = items.map((item) => {
    const at = item.indexOf('=');
    return { name: item.slice(0, Math.max(0, at)), url: item.slice(at + 1) };
  });
  const isGood = ({ name, url }: ShardSetting) =>
    /^[a-z][a-z0-9]{0,19}$/.test(name) &&
    name !== DEFAULT_SHARD &&
    URL.canParse(url) &&
    /^https?:$/.test(new URL(url).protocol);
  return shards.every(isGood) && new Set(shards.map(({ name }) => name)).size === shards.length ? shards : undefined;
}

/** All InfluxDBs, `default` first. */
const allShards = (
  { influxUrl, otherShards }: ReturnType<typeof influxConfig>,
  env: Environment,
): readonly ShardSetting[] => [
  { name: DEFAULT_SHARD, url: influxUrl },
  ...otherShards.map((shard) => withLogin(shard, env)),
];

/** Logins are apart from the addresses, as that of INFLUX_URL may be. */
function withLogin({ name, url }: ShardSetting, env: Environment): ShardSetting {
  const prefix = `INFLUX_${name.toUpperCase()}`;
  const login = { INFLUX_URL: url, INFLUX_USER: env[`${prefix}_USER`], INFLUX_PASSWORD: env[`${prefix}_PASSWORD`] };
  return { name, url: withBackendLogins(login).INFLUX_URL };
}

/** Reads what copying records needs of the same environment (copy-records.ts). @throws ConfigError with every problem */
export function readCopyConfig(env: Environment) {
  const read = envReader(env);
  const config = {
    databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
    databaseSchema: databaseSchema(read, 'historic'),
    ...influxConfig(read),
    // Messages of the log are applied for this account only.
    ownerId: read.optionalText('COPY_OWNER_ID'),
  };
  read.done();
  return Object.freeze({ ...config, shards: allShards(config, env) });
}

const influxConfig = (read: EnvReader) => ({
  influxUrl: read.url('INFLUX_URL', { protocols: ['http', 'https'] }),
  influxDatabase: read.text('INFLUX_DATABASE', {
    fallback: 'catchment',
    pattern: /^[A-Za-z0-9_-]{1,64}$/,
    rule: 'must be letters, digits, - and _',
  }),
  otherShards: read.parsedList('INFLUX_SHARDS', shardsIn, SHARDS_RULE),
});
