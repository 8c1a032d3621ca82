/**
 * Allowed connections between services (docs of the architecture: README, «How it is built»), written down apart from the
 * chart: renders are compared with it. `*` = from or to anywhere.
 */
export const GRPC = 50051;
const BACKENDS = { postgresql: 5432, nats: 4222, influxdb: 8086 } as const;

const arrows = (from: string, to: readonly string[], port: number) => to.map((one) => `${from} → ${one}:${port}`);

export const BETWEEN_PODS: readonly string[] = [
  ...arrows('gateway', ['nodes', 'historic', 'alarms', 'devices', 'events', 'render'], GRPC),
  ...arrows('nodes', ['historic'], GRPC),
  ...arrows('historic', ['nodes'], GRPC),
  ...arrows('alarms', ['nodes', 'historic'], GRPC),
  ...arrows('events', ['nodes'], GRPC),
  ...arrows('devices', ['nodes', 'historic'], GRPC),
  ...arrows('render', ['nodes', 'historic'], GRPC),
  ...arrows('first-account', ['nodes'], GRPC),
  ...arrows('test', ['gateway'], 8080),
  ...['nodes', 'historic', 'alarms', 'events', 'devices'].flatMap((service) => [
    `${service} → postgresql:${BACKENDS.postgresql}`,
    `${service} → nats:${BACKENDS.nats}`,
  ]),
  `historic → influxdb:${BACKENDS.influxdb}`,
  `migrate → postgresql:${BACKENDS.postgresql}`,
];

/** Ports open to everybody: the API, and modems without and with TLS. */
export const FROM_ANYWHERE: readonly string[] = ['gateway:8080', 'devices:4331', 'devices:4334'];
