import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ownLogins } from '@catchment/config';
import { type ListenerPorts, listenerSettings } from './listeners.ts';
import { COMPILE_CACHE, ROOT } from './places.ts';

/** In the order of their start; all at once, each waits for the services it needs. */
export const SERVICES = [
  'nodes',
  'historic',
  'alarms',
  'events',
  'devices',
  'render',
  'processing',
  'gateway',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Of one more process of devices. */
export type ReplicaPorts = {
  /** Such as devices-2. */
  readonly name: string;
  readonly listeners: ListenerPorts;
  readonly grpc: number;
  readonly health: number;
};

export type Ports = {
  readonly http: number;
  readonly listeners: ListenerPorts;
  /** Processes of devices beside the first one. */
  readonly replicas: readonly ReplicaPorts[];
  readonly grpc: Readonly<Record<ServiceName, number>>;
  readonly health: Readonly<Record<ServiceName, number>>;
};

export type Backends = {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly influxUrl: string;
  /** By the names of their shards. */
  readonly moreInfluxUrls: ReadonlyMap<string, string>;
};

const LOOPBACK = '127.0.0.1';

/** The environment of one service; the rest of this process's environment (LOG_LEVEL, OTEL_…) is handed on, but the logins of others. */
export function serviceEnvironment(
  name: ServiceName,
  options: {
    ports: Ports;
    backends: Backends;
    serviceTokenSecret: string;
    partitions: number;
    host: string;
    baseUrl: string;
    /** Of SFTP. */
    hostKeyFile: string;
  },
): NodeJS.ProcessEnv {
  const { ports, backends, host } = options;
  const peers = Object.fromEntries(
    SERVICES.filter((service) => service !== 'gateway').map((service) => {
      const variable = `${service.toUpperCase()}_ADDRESS`;
      // Tests may put proxies between the services.
      return [variable, process.env[variable] || `${LOOPBACK}:${ports.grpc[service]}`];
    }),
  );
  const env = {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...process.env,
    ...peers,
    OTEL_SERVICE_NAME: name,
    GRPC_HOST: LOOPBACK,
    GRPC_PORT: String(ports.grpc[name]),
    HEALTH_HOST: LOOPBACK,
    HEALTH_PORT: String(ports.health[name]),
    SERVICE_TOKEN_SECRET: options.serviceTokenSecret,
    INGEST_PARTITIONS: String(options.partitions),
    DATABASE_URL: backends.postgresUrl,
    DATABASE_SCHEMA: name,
    NATS_URL: backends.natsUrl,
    // Unless whoever starts it says where people reach it.
    BASE_URL: process.env.BASE_URL || options.baseUrl,
    ...(name === 'historic' && influxSettings(backends)),
    ...(name === 'devices' && listenerSettings(ports.listeners, host, options.hostKeyFile)),
    ...(name === 'gateway' && { HTTP_HOST: host, HTTP_PORT: String(ports.http) }),
  };
  return ownLogins(env, name);
}

const influxSettings = ({ influxUrl, moreInfluxUrls }: Backends): NodeJS.ProcessEnv => ({
  INFLUX_URL: influxUrl,
  ...(moreInfluxUrls.size > 0 && { INFLUX_SHARDS: [...moreInfluxUrls].map((shard) => shard.join('=')).join(',') }),
});

/** Settings of the C library of a service's process, as in the image: it reads its environment before Node does. */
export async function serviceMemorySettings(name: ServiceName): Promise<NodeJS.ProcessEnv> {
  const text = await readFile(path.join(ROOT, 'services', name, 'environment'), 'utf8').catch(() => '');
  return Object.fromEntries(
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((line) => line.split('=', 2)),
  );
}

/** Options of node to run a service, as in the image (deploy/image/catchment-service). */
export async function serviceArguments(name: ServiceName): Promise<string[]> {
  const folder = path.join(ROOT, 'services', name);
  const options = await readFile(path.join(folder, 'node-options'), 'utf8').catch(() => '');
  return [
    ...options.split(/\s+/).filter(Boolean),
    '--import',
    '@catchment/telemetry/start',
    path.join(ROOT, 'services/main.ts'),
    name,
  ];
}

/** The ports as another process of devices sees them. */
export const portsOfReplica = (ports: Ports, { listeners, grpc, health }: ReplicaPorts): Ports => ({
  ...ports,
  listeners,
  grpc: { ...ports.grpc, devices: grpc },
  health: { ...ports.health, devices: health },
});

/** Where a service says that it is ready. */
export const readyUrl = (name: ServiceName, ports: Ports): string =>
  `http://${LOOPBACK}:${name === 'gateway' ? ports.http : ports.health[name]}/readyz`;

/** Where a service tells its metrics. */
export const metricsUrl = (name: ServiceName, ports: Ports): string =>
  `http://${LOOPBACK}:${ports.health[name]}/metrics`;
