import { type Finding, ok, problem, unknown, warning } from '@catchment/bus';
import type { Queryable } from '@catchment/pg';
import { isAtLeast, MINIMUM_VERSIONS, parseVersion } from '@catchment/servers';
import { clockFinding } from '../clock.ts';
import { databaseCheck } from '../database-check.ts';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';
import type { ServiceRules, serviceRules } from '../service-rules.ts';
import { roomFinding, type Volume, volumeOf } from '../volume.ts';

const ABOUT = 'postgresql';
/** This share of the connections is taken. */
const BUSY = 0.85;
const OLD_TRANSACTION_SECONDS = 3_600;

type Facts = {
  version: string;
  now_ms: number;
  fsync: string;
  connections: number;
  max_connections: number;
  /** PostgreSQL reserves this many connections, which logins of services do not get. */
  reserved: number;
  /** Each application is connected from these machines; none by a socket of this one. */
  addresses: Readonly<Record<string, number>>;
  oldest_seconds: number;
  bytes: number;
  /** It follows another server and takes no change. */
  is_standby: boolean;
  /** Commits wait for standbys by these names. */
  synchronous_standby_names: string;
  /** Standbys that are connected. */
  standbys: number;
};

/** Checks PostgreSQL: version, clock, durability, connections, size. */
export const postgresql = (installation: Installation, rules: ReturnType<typeof serviceRules>): Check =>
  databaseCheck(ABOUT, installation, async (database, signal) => {
    // The check of the configuration reports settings that are not readable.
    const volume = volumeOf(installation, ABOUT);
    const [findings, pools] = await Promise.all([server(database, volume), rules(signal).catch(() => [])]);
    return findings(pools);
  });

async function server(database: Queryable, volume: Volume): Promise<(pools: readonly ServiceRules[]) => Finding[]> {
  const beganMs = Date.now();
  const { rows } = await database.query<Facts>(`
    SELECT current_setting('server_version') AS version,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
      current_setting('fsync') AS fsync,
      (SELECT count(*) FROM pg_stat_activity) AS connections,
      current_setting('max_connections')::int AS max_connections,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
      (SELECT coalesce(json_object_agg(application_name, machines), '{}') FROM (
        SELECT application_name, count(DISTINCT client_addr) AS machines FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> ''
        GROUP BY application_name) AS applications) AS addresses,
      (SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0)::float8 FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend') AS oldest_seconds,
      pg_database_size(current_database()) AS bytes,
      pg_is_in_recovery() AS is_standby,
      current_setting('synchronous_standby_names') AS synchronous_standby_names,
      (SELECT count(*) FROM pg_stat_replication) AS standbys`);
  const [facts] = rows as [Facts];
  const skewMs = facts.now_ms - (beganMs + Date.now()) / 2;
  return (pools) => [
    versionFinding(facts.version),
    clockFinding(ABOUT, skewMs),
    ...stateFindings(facts),
    ...connectionFindings(facts, pools),
    sizeFinding(facts.bytes, volume),
  ];
}

/** @param text as PostgreSQL says it: `15.6 (Debian 15.6-0+deb12u1)` */
export function versionFinding(text: string): Finding {
  const version = parseVersion(text);
  const minimum = MINIMUM_VERSIONS.postgres;
  if (version === undefined)
    return unknown(ABOUT, 'its version is not reported', `Make sure that it is ${minimum} or newer.`);
  if (isAtLeast(version, minimum)) return ok(ABOUT, `version ${version}`);
  return problem(ABOUT, `version ${version} is older than ${minimum}`, `Upgrade PostgreSQL to ${minimum} or newer.`);
}

/** Durability, standbys, connections, transactions. */
export function stateFindings(facts: Omit<Facts, 'version' | 'now_ms'>): Finding[] {
  const { connections, max_connections: most } = facts;
  const isBusy = connections > BUSY * most;
  const { standbys } = facts;
  const hours = Math.floor(facts.oldest_seconds / 3_600);
  return [
    ...(facts.fsync === 'off'
      ? [problem(ABOUT, 'fsync is off: a crash may destroy the database', 'Set fsync = on and reload PostgreSQL.')]
      : []),
    ...(facts.is_standby
      ? [
          problem(
            ABOUT,
            'it is a standby and takes no change',
            'Promote it, or make the name in DATABASE_URL lead to the primary.',
          ),
        ]
      : []),
    ...(facts.synchronous_standby_names === ''
      ? []
      : [
          standbys > 0
            ? ok(ABOUT, `commits wait for a standby; ${standbys} connected`)
            : problem(
                ABOUT,
                'commits wait for a standby and none is connected: nothing can be changed',
                'Start the standby, or take it out of synchronous_standby_names and reload PostgreSQL: it is not durable on two machines until then.',
              ),
        ]),
    isBusy
      ? warning(
          ABOUT,
          `${connections} of ${most} connections are taken`,
          'Raise max_connections, or lower DATABASE_CONNECTIONS of the services: each process takes as many.',
        )
      : ok(ABOUT, `${connections} of ${most} connections are taken`),
    ...(facts.oldest_seconds > OLD_TRANSACTION_SECONDS
      ? [
          warning(
            ABOUT,
            `a transaction has been open for ${hours} h: dead rows are kept meanwhile`,
            'Look for it in pg_stat_activity (xact_start) and end its client.',
          ),
        ]
      : []),
  ];
}

/** Its log takes some of the volume beside it. */
export const sizeFinding = (bytes: number, volume: Volume): Finding =>
  roomFinding(ABOUT, 'the database takes', { bytes, ...volume });

/**
 * Compares the connections that the services may take as they run now, at least: processes of one machine cannot be
 * distinguished.
 */
export function connectionFindings(
  { max_connections, reserved, addresses }: Pick<Facts, 'max_connections' | 'reserved' | 'addresses'>,
  pools: readonly ServiceRules[],
): Finding[] {
  const parts = pools.flatMap(({ service, databaseConnections }) =>
    databaseConnections === undefined
      ? []
      : [{ service, each: databaseConnections, processes: Math.max(1, addresses[service] ?? 0) }],
  );
  if (parts.length === 0) return [];
  const needed = parts.reduce((sum, { each, processes }) => sum + each * processes, 0);
  const there = max_connections - reserved;
  if (needed <= there) return [ok(ABOUT, `the services take ${needed} of ${there} connections at most`)];
  const shares = parts.map(({ service, each, processes }) => `${service} ${processes} × ${each}`).join(', ');
  return [
    warning(
      ABOUT,
      `the services may take ${needed} connections (${shares}), and there are ${there} for them`,
      'Raise max_connections, or lower DATABASE_CONNECTIONS of the services: each process takes as many. A roll-out adds one process of each.',
    ),
  ];
}
