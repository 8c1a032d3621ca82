import { keepHostKey } from './listeners.ts';
import { metricsUrl, type Ports, readyUrl, SERVICES, type ServiceName, serviceEnvironment } from './service-table.ts';
import { openState, readRunning } from './state.ts';

type Environment = NodeJS.ProcessEnv;

/** A local installation's settings. */
type LocalInstallation = {
  readonly url: string;
  /** The environment of each service. */
  readonly settings: ReadonlyMap<ServiceName, Environment>;
  readonly readyUrls: Readonly<Record<ServiceName, string>>;
  readonly metricsUrls: Readonly<Record<ServiceName, string>>;
};

/** @returns undefined where none runs with its data in this folder */
export async function localInstallation(dataDir: string): Promise<LocalInstallation | undefined> {
  const running = await readRunning(dataDir);
  if (!running) return undefined;
  const { serviceTokenSecret, partitions } = await openState(dataDir);
  const { url, postgresUrl, natsUrl, influxUrl, moreInfluxUrls, listeners } = running;
  const address = new URL(url);
  const ports: Ports = {
    http: Number(address.port),
    listeners,
    replicas: [],
    grpc: running.grpcPorts as Ports['grpc'],
    health: running.healthPorts as Ports['health'],
  };
  const options = {
    ports,
    serviceTokenSecret,
    partitions,
    baseUrl: url,
    backends: { postgresUrl, natsUrl, influxUrl, moreInfluxUrls: new Map(Object.entries(moreInfluxUrls)) },
    host: address.hostname.replace(/^\[|\]$/g, ''),
    hostKeyFile: await keepHostKey(dataDir),
  };
  return {
    url,
    settings: new Map(SERVICES.map((name) => [name, serviceEnvironment(name, options)])),
    readyUrls: urls(readyUrl, ports),
    metricsUrls: urls(metricsUrl, ports),
  };
}

const urls = (of: (name: ServiceName, ports: Ports) => string, ports: Ports) =>
  Object.fromEntries(SERVICES.map((name) => [name, of(name, ports)])) as Record<ServiceName, string>;
