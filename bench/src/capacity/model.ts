/**
 * Computes how much an installation needs. The module is pure, and imports types alone: the page of the calculator has this file's text in
 * it. Times are processor milliseconds on one core of the machine that measured (figures.json says which), so results are as good as that
 * machine is like yours.
 */

/** People expect this of an installation. */
export type Demand = {
  /** Data sources: stations, loggers, modems. */
  readonly sources: number;
  /** Values in each record. */
  readonly parameters: number;
  /** Seconds between a source's records. */
  readonly intervalSeconds: number;
  /** A source sends this many records at once. */
  readonly recordsPerMessage: number;
  readonly transport: Transport;
  /** This many percent of the parameters have states or alarms. */
  readonly statesPercent: number;
  /** Programs or ratings compute this many percent of the parameters anew. */
  readonly computedPercent: number;
  /** Years that records are kept. */
  readonly years: number;
  /** This many people have a dashboard open at the same time. */
  readonly viewers: number;
  /** Pictures of charts an hour, by the API and in reports. */
  readonly chartsPerHour: number;
  /** Reports as PDF a day. */
  readonly reportsPerDay: number;
  /** Each process runs at least twice, each message has three copies, and PostgreSQL has a standby. */
  readonly isRedundant: boolean;
};
const TRANSPORTS = ['http', 'mqtt'] as const;
type Transport = (typeof TRANSPORTS)[number];

/** Processor time by process, ms. */
export type Cost = Readonly<Partial<Record<Process, number>>>;
export const SERVICES = [
  'gateway',
  'nodes',
  'historic',
  'alarms',
  'events',
  'devices',
  'processing',
  'render',
] as const;
const BACKENDS = ['postgresql', 'nats', 'influxdb'] as const;
export type Process = (typeof SERVICES)[number] | (typeof BACKENDS)[number];

/** The figures were measured (figures.json says where from). */
export type Figures = {
  /** A message has one record of three values. */
  readonly message: Readonly<Record<Transport, Cost>>;
  /** Each further value of a message costs this, as in a large document. */
  readonly value: Cost;
  /** A value of a parameter with states costs this in addition. */
  readonly states: Cost;
  /** A computed value. */
  readonly computed: Cost;
  /** A read of 1000 records. */
  readonly read: Cost;
  /** A picture of a chart. */
  readonly chart: Cost;
  /** A report of a page. */
  readonly report: Cost;
  /** A pod has this limit in MiB. */
  readonly memory: Readonly<Record<(typeof SERVICES)[number], number>>;
  /** Disk. */
  readonly bytes: {
    readonly record: number;
    readonly node: number;
    readonly event: number;
    readonly logMessage: number;
    readonly logValue: number;
  };
};

type Part = {
  readonly process: Process;
  /** Processor cores in use on average. */
  readonly cores: number;
  /** Pods of a service; servers of a backend. */
  readonly replicas: number;
  /** The pods of a service grow to this number by themselves, where the values of this size scale it. */
  readonly mostReplicas?: number;
  /** Each of them is to have these cores and this memory. */
  readonly coresEach: number;
  readonly memoryMib: number;
  /** Each of them has this disk; services have none. */
  readonly diskGib: number;
};

export type Plan = {
  readonly valuesPerSecond: number;
  readonly messagesPerSecond: number;
  readonly parts: readonly Part[];
  readonly partitions: number;
  /** Workspaces are spread among this many InfluxDBs. */
  readonly shards: number;
  /** `max_connections` of PostgreSQL. */
  readonly connections: number;
  /** InfluxDB may be away for this long before the ingest log is full and writes are refused. */
  readonly awayHours: number;
  /** People begin with this values file of the chart. */
  readonly size: 'small' | 'medium' | 'large';
  /** A reader should know these before building it. */
  readonly notes: readonly string[];
};

/** In the values of each size of the chart, scalers decide the number of pods of these services. */
export const SCALED: Readonly<Record<Plan['size'], readonly (typeof SERVICES)[number][]>> = {
  small: [],
  medium: ['gateway', 'historic'],
  large: SERVICES,
};
/** A pod takes at most this many connections to PostgreSQL, as its service has them by default. */
export const CONNECTIONS: Cost = { nodes: 16, historic: 10, alarms: 10, events: 10, devices: 10, processing: 26 };
/** Others are migrations, backups, people, and what PostgreSQL keeps for itself. */
const MORE_CONNECTIONS = 20;
/** Pods of a scaled service beside those of the average, for as many. */
const SCALE = 2;
/** This share of a core is used on average: the rest is for peaks, and for the pods of one that is gone. */
const USED = 0.5;
/** A process of Node.js does its work on one core. */
const CORES_OF_A_POD = 1;
/** Drawing threads and runners are processes and threads of their own. */
const CORES_OF_A_WIDE_POD = 2;
const WIDE: readonly Process[] = ['render', 'processing'];
/** An InfluxDB above this is to be shared: compactions need room beside it. */
const CORES_OF_AN_INFLUXDB = 8;
const SERIES_OF_AN_INFLUXDB = 1_000_000;
/** A dashboard asks again for what its charts show, on average, each second. */
const READS_OF_A_VIEWER = 0.1;
const DEBUG_DAYS = 30;
/** First write at once, later ones of the minute in one: docs/reference/acquisition.md. */
const EVENT_SECONDS = 60;
const LOG_GIB = 2;
/** All streams with their limits. */
const STREAMS_GIB = 4;
const GIB = 1024 ** 3;
const YEAR_SECONDS = 365 * 86_400;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Compactions write anew what they join before they remove it; a disk is not to be full. */
const INFLUX_ROOM = 1.6;
/** Dead rows and indexes between vacuums, and the write-ahead log, take room. */
const POSTGRES_ROOM = 2;

/** @throws RangeError for a number that is none, or is below zero */
export function capacity(demand: Demand, figures: Figures): Plan {
  for (const [name, value] of Object.entries(demand))
    if (typeof value === 'number' && !(value >= 0 && Number.isFinite(value)))
      throw new RangeError(`${name} must be a number from 0 up`);
  const parameters = demand.sources * demand.parameters;
  const valuesPerSecond = demand.intervalSeconds > 0 ? parameters / demand.intervalSeconds : 0;
  const valuesOfAMessage = demand.parameters * Math.max(1, demand.recordsPerMessage);
  const messagesPerSecond = valuesOfAMessage > 0 ? valuesPerSecond / valuesOfAMessage : 0;
  const computedPerSecond = (valuesPerSecond * demand.computedPercent) / 100;
  const storedPerSecond = valuesPerSecond + computedPerSecond;
  const work: readonly (readonly [number, Cost])[] = [
    [messagesPerSecond, figures.message[demand.transport]],
    [messagesPerSecond * Math.max(0, valuesOfAMessage - 3), figures.value],
    [(valuesPerSecond * demand.statesPercent) / 100, figures.states],
    [computedPerSecond, figures.computed],
    [demand.viewers * READS_OF_A_VIEWER, figures.read],
    [demand.chartsPerHour / HOUR_SECONDS, figures.chart],
    [demand.reportsPerDay / DAY_SECONDS, figures.report],
  ];
  const coresOf = (process: Process) =>
    work.reduce((sum, [rate, cost]) => sum + (rate * (cost[process] ?? 0)) / 1_000, 0);

  const least = demand.isRedundant ? 2 : 1;
  const services = SERVICES.map((process): Part => {
    const cores = coresOf(process);
    const each = WIDE.includes(process) ? CORES_OF_A_WIDE_POD : CORES_OF_A_POD;
    const replicas = Math.max(least, Math.ceil(cores / (each * USED)));
    return { process, cores, replicas, coresEach: each, memoryMib: figures.memory[process], diskGib: 0 };
  });

  const recordBytes = storedPerSecond * YEAR_SECONDS * demand.years * figures.bytes.record;
  const influxCores = coresOf('influxdb');
  const shards = Math.max(
    1,
    Math.ceil(influxCores / (CORES_OF_AN_INFLUXDB * USED)),
    Math.ceil(parameters / SERIES_OF_AN_INFLUXDB),
  );
  const influxdb: Part = {
    process: 'influxdb',
    cores: influxCores,
    replicas: shards,
    coresEach: roundedCores(influxCores / shards),
    memoryMib: 1_024 * Math.max(2, Math.ceil(parameters / shards / 25_000)),
    diskGib: gib((recordBytes / shards) * INFLUX_ROOM),
  };
  const eventsPerSecond = Math.min(messagesPerSecond, demand.sources / EVENT_SECONDS);
  const events = eventsPerSecond * DAY_SECONDS * DEBUG_DAYS;
  const postgresCores = coresOf('postgresql');
  const nodes = parameters + demand.sources;
  const postgresql: Part = {
    process: 'postgresql',
    cores: postgresCores,
    replicas: least,
    coresEach: roundedCores(postgresCores),
    memoryMib: 1_024 * Math.max(1, Math.ceil(nodes / 50_000)),
    diskGib: gib((events * figures.bytes.event + nodes * figures.bytes.node) * POSTGRES_ROOM),
  };
  const natsCores = coresOf('nats');
  const copies = demand.isRedundant ? 3 : 1;
  const nats: Part = {
    process: 'nats',
    cores: natsCores,
    replicas: copies,
    coresEach: roundedCores(natsCores),
    memoryMib: 1_024,
    diskGib: STREAMS_GIB + 6,
  };

  const historic = services.find(({ process }) => process === 'historic')?.replicas ?? 1;
  const partitions = demand.isRedundant ? Math.min(64, Math.max(4, 2 ** Math.ceil(Math.log2(2 * historic)))) : 1;
  const logBytesPerSecond =
    messagesPerSecond * (figures.bytes.logMessage + Math.max(0, valuesOfAMessage - 3) * figures.bytes.logValue);
  const awayHours =
    logBytesPerSecond > 0 ? (LOG_GIB * GIB) / logBytesPerSecond / HOUR_SECONDS : Number.POSITIVE_INFINITY;
  const size = shards > 1 ? 'large' : demand.isRedundant ? 'medium' : 'small';
  const notes = [
    ...(shards > 1 ? [`One InfluxDB does not carry it: spread workspaces over ${shards}.`] : []),
    ...(awayHours < 4
      ? ['The ingest log is full before InfluxDB has been away for four hours: writes are refused then (503).']
      : []),
    ...(valuesOfAMessage < 30 && demand.transport === 'http' && messagesPerSecond > 200
      ? ['Messages are small: several records in each, or MQTT, take a fraction of the processor time.']
      : []),
    ...(partitions === 64 && historic > 32
      ? ['64 partitions are the most: more pods of historic than that do not read faster.']
      : []),
    ...(demand.isRedundant
      ? []
      : ['Nothing is redundant: a server that is gone stops the installation until it is back.']),
  ];
  const sized = services.map(
    (part): Part =>
      isScaled(size, part.process) ? { ...part, mostReplicas: Math.max(2, SCALE * part.replicas) } : part,
  );
  // A roll-out adds a pod of each service.
  const connections = sized.reduce(
    (sum, { process, replicas, mostReplicas = replicas }) => sum + (CONNECTIONS[process] ?? 0) * (mostReplicas + 1),
    MORE_CONNECTIONS,
  );
  const parts = [...sized, postgresql, nats, influxdb];
  return { valuesPerSecond, messagesPerSecond, parts, partitions, shards, connections, awayHours, size, notes };
}

const isScaled = (size: Plan['size'], process: Process): boolean => SCALED[size].some((scaled) => scaled === process);

/** Writes the values of the chart that differ from those of the plan's size. */
export function valuesOf(
  { parts, partitions, size, shards }: Plan,
  { isRedundant }: Pick<Demand, 'isRedundant'>,
): string {
  return [
    `# over values-${size}.yaml`,
    `ingestPartitions: ${partitions}  # for life`,
    ...(isRedundant ? ['streamReplicas: 3'] : []),
    ...parts
      .filter(({ process }) => SERVICES.some((service) => service === process))
      .map(({ process, replicas, mostReplicas }) =>
        mostReplicas === undefined
          ? `${process}: { replicas: ${replicas} }`
          : `${process}: { autoscaling: { minReplicas: ${replicas}, maxReplicas: ${mostReplicas} } }`,
      ),
    ...(shards > 1 ? [`# influxdb.shards: ${shards - 1} beside influxdb.url`] : []),
  ].join('\n');
}

/** Cores that a server of this use is to have. */
function roundedCores(cores: number): number {
  return Math.max(1, Math.ceil(cores / USED));
}

function gib(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / GIB));
}
