import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { withBackendLogins } from '@catchment/config';
import { addressOf, type ServerAddress } from '../await-servers.ts';
import { furtherInfluxdbs } from '../shards/further-influxdbs.ts';
import { localInstallation } from '../start/local-settings.ts';
import { SERVICES, type ServiceName } from '../start/service-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The doctor looks at these. */
export type Installation = {
  /** The settings of these services are known here. */
  readonly settings: ReadonlyMap<ServiceName, Environment>;
  /** The settings of all services stand together, with those of this process. */
  readonly environment: Environment;
  /**
   * Services say here that they are ready, or answer gRPC; and publish their metrics, if these can be reached from
   * here.
   */
  readonly services: readonly {
    readonly name: ServiceName;
    readonly readyUrl?: string;
    readonly address?: string;
    readonly metricsUrl?: string;
  }[];
  /** Folder of a local installation. */
  readonly dataDir?: string;
};

/**
 * Finds the installation: a folder with the settings of each service, the environment of this process, or the local one.
 * @param options.settings `<folder>/<service>/<SETTING>`, a file each: ConfigMaps as volumes
 * @throws Error that says what to give, when there is none
 */
export async function findInstallation(options: { dataDir: string; settings?: string }): Promise<Installation> {
  const env = process.env;
  if (options.settings === undefined && !env.NATS_URL && !env.DATABASE_URL) return local(options.dataDir);
  const files = options.settings === undefined ? new Map() : await settingsOf(options.settings);
  const self = SERVICES.find((name) => name === env.OTEL_SERVICE_NAME);
  const settings = new Map<ServiceName, Environment>(
    files.size > 0
      ? [...files].map(([name, values]) => [name, withBackendLogins({ ...env, ...values })])
      : self
        ? [[self, withBackendLogins(env)]]
        : [],
  );
  const environment = withBackendLogins(Object.assign({}, ...files.values(), env) as Environment);
  const services = SERVICES.flatMap((name) => {
    const address = environment[`${name.toUpperCase()}_ADDRESS`];
    return address ? [{ name, address }] : [];
  });
  const gateway = env.GATEWAY_URL
    ? [{ name: 'gateway' as const, readyUrl: new URL('/readyz', env.GATEWAY_URL).href }]
    : [];
  return { settings, environment, services: [...services, ...gateway] };
}

/** Lists the addresses of the servers and the services. */
export function addressesOf({ environment, services }: Installation): ServerAddress[] {
  const { DATABASE_URL = '', NATS_URL = '', INFLUX_URL = '' } = environment;
  return [
    DATABASE_URL,
    NATS_URL,
    INFLUX_URL,
    ...furtherInfluxdbs(environment.INFLUX_SHARDS).map(({ url }) => url),
    ...services.map(({ address, readyUrl }) => address ?? readyUrl ?? ''),
  ].map(addressOf);
}

async function local(dataDir: string): Promise<Installation> {
  const found = await localInstallation(path.resolve(dataDir));
  if (!found)
    throw new Error(
      `No installation found: none runs with its data in ${dataDir}. Start one with "npm start", or give DATABASE_URL, NATS_URL, INFLUX_URL and the addresses of the services in the environment, or --settings.`,
    );
  const { settings, readyUrls, metricsUrls } = found;
  return {
    settings,
    environment: Object.assign({}, ...settings.values()) as Environment,
    services: SERVICES.map((name) => ({ name, readyUrl: readyUrls[name], metricsUrl: metricsUrls[name] })),
    dataDir: path.resolve(dataDir),
  };
}

async function settingsOf(folder: string): Promise<Map<ServiceName, Record<string, string>>> {
  const found = new Map<ServiceName, Record<string, string>>();
  for (const service of SERVICES) {
    const names = await readdir(path.join(folder, service)).catch(() => undefined);
    if (!names) continue;
    const values: Record<string, string> = {};
    // Kubernetes puts folders of its own beside the files, whose names begin with two dots.
    for (const name of names.filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name)))
      values[name] = (await readFile(path.join(folder, service, name), 'utf8')).replace(/\n$/, '');
    found.set(service, values);
  }
  if (found.size === 0)
    throw new Error(`--settings: ${folder} has no folder of a service (${SERVICES.join(', ')}) that can be read.`);
  return found;
}
