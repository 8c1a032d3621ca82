import { type Finding, ok, problem, unknown, warning, withoutLogin } from '@catchment/bus';
import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import { isAtLeast, MINIMUM_VERSIONS, parseVersion } from '@catchment/servers';
import { influxDiskBytes } from '@catchment/service/influx-disk';
import { furtherInfluxdbs } from '../../shards/further-influxdbs.ts';
import { clockFinding } from '../clock.ts';
import type { Environment, Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';
import { roomFinding, type Volume, volumeOf } from '../volume.ts';

type Server = { readonly about: string; readonly url: string };
type Answer = {
  results?: { series?: { columns: string[]; values?: unknown[][] }[]; error?: string }[];
  error?: string;
};

/** Checks every InfluxDB: version, clock, its database and how long that keeps records. One that is away holds up no other. */
export function influxdbs(installation: Installation): Check[] {
  const { environment } = installation;
  const servers = serversOf(environment);
  if (servers.length === 0)
    return [
      {
        about: 'influxdb',
        advice: '',
        look: async () => [
          unknown('influxdb', 'INFLUX_URL is not set here', 'Run it where historic has its settings.'),
        ],
      },
    ];
  const database = environment.INFLUX_DATABASE || 'catchment';
  return servers.map((server) => ({
    about: server.about,
    advice: `Check its address (${withoutLogin(server.url)}), its login, and that InfluxDB runs and is reachable from here.`,
    look: ({ signal }) => look(server, database, { signal, volume: volumeOf(installation, server.about) }),
  }));
}

/** `INFLUX_URL` is the first one, `INFLUX_SHARDS` (`name=url,…`) are the others, each with `INFLUX_<NAME>_USER` and `_PASSWORD`. */
export function serversOf(environment: Environment): Server[] {
  const shards = furtherInfluxdbs(environment.INFLUX_SHARDS).map(({ name, url }) => {
    const login = `INFLUX_${name.toUpperCase().replaceAll('-', '_')}`;
    return {
      about: `influxdb ${name}`,
      url: withLogin(url, environment[`${login}_USER`], environment[`${login}_PASSWORD`]),
    };
  });
  const first = environment.INFLUX_URL;
  return [...(first ? [{ about: 'influxdb', url: first }] : []), ...shards];
}

function withLogin(url: string, user?: string, password = ''): string {
  if (!user) return url;
  const parsed = new URL(url);
  return Object.assign(parsed, { username: encodeURIComponent(user), password: encodeURIComponent(password) }).href;
}

async function look(
  { about, url }: Server,
  database: string,
  { signal, volume }: { signal: AbortSignal; volume: Volume },
): Promise<Finding[]> {
  const { origin, pathname, username, password } = new URL(url);
  const base = origin + pathname.replace(/\/$/, '');
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers: Record<string, string> = username
    ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
    : {};
  const ask = async (statement: string): Promise<Answer> => {
    const response = await fetch(`${base}/query`, {
      method: 'POST',
      signal,
      headers,
      body: new URLSearchParams({ q: statement, db: database }),
    });
    const answer = parsed(await textWithin(response.body, REMOTE_LIMITS.reply));
    const error = answer.error ?? answer.results?.[0]?.error;
    if (!response.ok && !error) throw new Error(`it answered ${response.status}`);
    return { ...answer, ...(error !== undefined && { error }) };
  };
  const beganMs = Date.now();
  const ping = await fetch(`${base}/ping`, { signal });
  const serverMs = Date.parse(ping.headers.get('date') ?? '');
  await ping.body?.cancel();
  // The server reports whole seconds: half a second is missing on average.
  const skewMs = serverMs + 500 - (beganMs + Date.now()) / 2;
  const bytes = await influxDiskBytes(base, database, { headers, signal }).catch(() => undefined);
  const policies = await ask(`SHOW RETENTION POLICIES ON "${database}"`);
  return [
    versionFinding(about, ping.headers.get('x-influxdb-version') ?? ''),
    Number.isNaN(skewMs)
      ? unknown(about, 'its clock is not reported', 'Compare it by hand.')
      : clockFinding(about, Math.abs(skewMs) < 1_500 ? 0 : skewMs),
    retentionFinding(about, database, policies),
    diskFinding(about, bytes, volume),
  ];
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}

export const diskFinding = (about: string, bytes: number | undefined, volume: Volume): Finding =>
  bytes === undefined
    ? unknown(about, 'what it keeps on its disk is not reported', 'Watch the volume of it where it is.')
    : roomFinding(about, 'records take', { bytes, ...volume });

export function versionFinding(about: string, text: string): Finding {
  const version = parseVersion(text);
  const minimum = MINIMUM_VERSIONS.influx;
  if (version === undefined)
    return unknown(about, 'its version is not reported', `Make sure that it is ${minimum} or newer.`);
  if (isAtLeast(version, minimum)) return ok(about, `version ${version}`);
  return problem(about, `version ${version} is older than ${minimum}`, `Upgrade InfluxDB to ${minimum} or newer.`);
}

/** A retention policy with an end removes records that nobody deleted. */
export function retentionFinding(about: string, database: string, { error, results }: Answer): Finding {
  if (error !== undefined && /not found/i.test(error))
    return warning(
      about,
      `there is no database ${database}`,
      'Before the first record this is right: historic makes it then. Otherwise check INFLUX_DATABASE, or restore a backup.',
    );
  if (error !== undefined)
    return problem(about, `the login may not read: ${error}`, 'Give its user all rights on the database.');
  const [series] = results?.[0]?.series ?? [];
  const column = (name: string) => series?.columns.indexOf(name) ?? -1;
  const policy = series?.values?.find((row) => row[column('default')] === true);
  if (!policy)
    return unknown(
      about,
      'how long it keeps records is not reported',
      'Make sure that its bucket keeps them for ever.',
    );
  const duration = String(policy[column('duration')]);
  if (/^0s?$/.test(duration)) return ok(about, `database ${database} keeps records for ever`);
  return warning(
    about,
    `database ${database} removes records after ${duration}`,
    `Unless that is meant: ALTER RETENTION POLICY "${String(policy[column('name')])}" ON "${database}" DURATION INF. Catchment shows counts and edges of what is gone.`,
  );
}
