import { ownLogins, settingOf } from '@catchment/config';
import { deviceAddresses, type ListenerPorts, listenerSettings } from './listeners.ts';
import { COMPILE_CACHE } from './paths.ts';

/** Services in the starts' order. All start at once, and each waits for the services it needs. */
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

/** Ports of another devices process. */
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
  /** Further processes of devices. */
  readonly replicas: readonly ReplicaPorts[];
  readonly grpc: Readonly<Record<ServiceName, number>>;
  readonly health: Readonly<Record<ServiceName, number>>;
};

export type Backends = {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly influxUrl: string;
  /** The key is the name of the shard. */
  readonly moreInfluxUrls: ReadonlyMap<string, string>;
};

const LOOPBACK = '127.0.0.1';

export type ServiceOptions = {
  readonly ports: Ports;
  readonly backends: Backends;
  readonly serviceTokenSecret: string;
  readonly partitions: number;
  readonly host: string;
  readonly baseUrl: string;
  /** File of SFTP's host key. */
  readonly hostKeyFile: string;
};

/**
 * Returns the environment of one service in a separate process; the rest of this process's environment (LOG_LEVEL, OTEL_…) is handed on,
 * but the logins of others.
 */
export function serviceEnvironment(name: ServiceName, options: ServiceOptions): NodeJS.ProcessEnv {
  const env = { ...environmentOf([name], options), ...ownSettings(name, options), OTEL_SERVICE_NAME: name };
  return ownLogins(env, name);
}

/** Returns the environment of the services of a process; what differs among them has their names before it. */
export function processEnvironment(services: readonly ServiceName[], options: ServiceOptions): NodeJS.ProcessEnv {
  const [first, ...others] = services;
  if (first && others.length === 0) return serviceEnvironment(first, options);
  const serviceSettings = services.flatMap((name) =>
    Object.entries(ownSettings(name, options)).map(([setting, value]) => [settingOf(name, setting), value] as const),
  );
  // A name for all of them would be wrong.
  const env = {
    ...environmentOf(services, options),
    ...Object.fromEntries(serviceSettings),
    OTEL_SERVICE_NAME: undefined,
  };
  return ownLogins(env, ...services);
}

function environmentOf(services: readonly ServiceName[], options: ServiceOptions): NodeJS.ProcessEnv {
  const { ports, backends, host } = options;
  const has = (name: ServiceName) => services.includes(name);
  return {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...process.env,
    ...peerAddresses(services, ports),
    GRPC_HOST: LOOPBACK,
    HEALTH_HOST: LOOPBACK,
    SERVICE_TOKEN_SECRET: options.serviceTokenSecret,
    INGEST_PARTITIONS: String(options.partitions),
    DATABASE_URL: backends.postgresUrl,
    NATS_URL: backends.natsUrl,
    // The environment may say where people reach the installation.
    BASE_URL: process.env.BASE_URL || options.baseUrl,
    ...(has('historic') && influxSettings(backends)),
    ...(has('devices') && listenerSettings(ports.listeners, host, options.hostKeyFile)),
    ...(has('gateway') && {
      HTTP_HOST: host,
      HTTP_PORT: String(ports.http),
      DEVICE_ADDRESSES: process.env.DEVICE_ADDRESSES ?? deviceAddresses(ports.listeners, options.baseUrl),
    }),
  };
}

/** Services of the same process find each other without. */
function peerAddresses(services: readonly ServiceName[], ports: Ports): NodeJS.ProcessEnv {
  const peers = SERVICES.filter((service) => service !== 'gateway');
  return Object.fromEntries(
    peers.map((service) => {
      const variable = `${service.toUpperCase()}_ADDRESS`;
      const isHere = services.length > 1 && services.includes(service);
      // Tests may put proxies between the services.
      return [variable, process.env[variable] || (isHere ? undefined : `${LOOPBACK}:${ports.grpc[service]}`)];
    }),
  );
}

const ownSettings = (name: ServiceName, { ports }: ServiceOptions) => ({
  GRPC_PORT: String(ports.grpc[name]),
  HEALTH_PORT: String(ports.health[name]),
  DATABASE_SCHEMA: name,
});

const influxSettings = ({ influxUrl, moreInfluxUrls }: Backends): NodeJS.ProcessEnv => ({
  INFLUX_URL: influxUrl,
  ...(moreInfluxUrls.size > 0 && { INFLUX_SHARDS: [...moreInfluxUrls].map((shard) => shard.join('=')).join(',') }),
});

/** Returns the ports as another process of devices sees them. */
export const portsOfReplica = (ports: Ports, { listeners, grpc, health }: ReplicaPorts): Ports => ({
  ...ports,
  listeners,
  grpc: { ...ports.grpc, devices: grpc },
  health: { ...ports.health, devices: health },
});

/** Returns where a service says that it is ready. */
export const readyUrl = (name: ServiceName, ports: Ports): string =>
  `http://${LOOPBACK}:${name === 'gateway' ? ports.http : ports.health[name]}/readyz`;

/** Returns where a service has its metrics. */
export const metricsUrl = (name: ServiceName, ports: Ports): string =>
  `http://${LOOPBACK}:${ports.health[name]}/metrics`;
