import { LISTENER_NAMES, listenerRow } from '@catchment/contracts/transports';
/**
 * Allowed connections between services (docs of the architecture: README, «How it is built»), written down apart from the
 * chart: renders are compared with it. `*` stands for anywhere.
 */
export const GRPC = 50051;
const NATS_MONITOR = 8222;
const BACKENDS = { postgresql: 5432, nats: 4222, influxdb: 8086 } as const;

const arrows = (from: string, to: readonly string[], port: number) => to.map((target) => `${from} → ${target}:${port}`);

export const BETWEEN_PODS: readonly string[] = [
  ...arrows('gateway', ['nodes', 'historic', 'alarms', 'devices', 'events', 'render', 'processing'], GRPC),
  ...arrows('nodes', ['historic', 'render', 'devices', 'events'], GRPC),
  ...arrows('historic', ['nodes'], GRPC),
  ...arrows('alarms', ['nodes', 'historic'], GRPC),
  ...arrows('events', ['nodes'], GRPC),
  ...arrows('devices', ['nodes', 'historic', 'processing', 'render'], GRPC),
  ...arrows('render', ['nodes', 'historic', 'events'], GRPC),
  ...arrows('processing', ['nodes', 'historic'], GRPC),
  ...arrows('first-account', ['nodes'], GRPC),
  ...arrows('test', ['gateway'], 8080),
  // It looks at everything, and nobody calls it.
  ...arrows('doctor', ['nodes', 'historic', 'alarms', 'devices', 'events', 'render', 'processing'], GRPC),
  ...arrows('doctor', ['gateway'], 8080),
  ...['nodes', 'historic', 'alarms', 'events', 'devices', 'processing', 'backup', 'doctor'].flatMap((service) => [
    `${service} → postgresql:${BACKENDS.postgresql}`,
    `${service} → nats:${BACKENDS.nats}`,
  ]),
  ...['historic', 'backup', 'doctor'].map((user) => `${user} → influxdb:${BACKENDS.influxdb}`),
  // The monitoring port alone reports this.
  ...['nodes', 'doctor'].map((watcher) => `${watcher} → nats:${NATS_MONITOR}`),
  `migrate → postgresql:${BACKENDS.postgresql}`,
];

/** Devices and clients connect here, and two data connections of FTP. */
const LISTENER_PORTS = [
  ...LISTENER_NAMES.map(listenerRow).flatMap(({ bound, tls }) => (tls ? [bound, tls.bound] : [bound])),
  30_000,
  30_001,
];
/** Everybody reaches these ports: the API, and where devices and their clients connect. */
export const FROM_ANYWHERE: readonly string[] = ['gateway:8080', ...LISTENER_PORTS.map((port) => `devices:${port}`)];
