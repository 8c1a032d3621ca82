import type { EnvReader } from '@catchment/config';

export const SIGNALS = ['traces', 'metrics', 'logs'] as const;
export type Signal = (typeof SIGNALS)[number];

const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
type Sampler = (typeof SAMPLERS)[number];

const SDK_LOG_LEVELS = ['NONE', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'VERBOSE', 'ALL'] as const;
export type SdkLogLevel = (typeof SDK_LOG_LEVELS)[number];

/** The SDK's batch processors take these; the rest is theirs. */
type Batch = {
  readonly maxQueueSize?: number;
  readonly maxExportBatchSize?: number;
  readonly scheduledDelayMillis?: number;
  readonly exportTimeoutMillis?: number;
};

/** OTLP sends these signals, by these protocols. */
export type OtlpSettings = {
  /** Protocols of what is sent. */
  readonly protocols: Readonly<Partial<Record<Signal, Protocol>>>;
  /** Files instead of a collector. */
  readonly folder: string | undefined;
  readonly sampler: Sampler;
  /** A sampler by ids has this share, otherwise 1. */
  readonly share: number;
  readonly spans: Batch;
  readonly logRecords: Batch;
  /** Level of the SDK's own messages on the console; undefined: none. */
  readonly sdkLogLevel: SdkLogLevel | undefined;
  readonly metrics: { readonly intervalMs: number; readonly timeoutMs: number };
};

/**
 * Reads OpenTelemetry's variables: a signal is sent where an endpoint is set, for all signals or for this one, and its exporter is not
 * `none`. With TELEMETRY_FOLDER all go to files. A value that breaks its rule is a problem, where the specification would have it ignored.
 * @returns undefined: nothing is sent
 */
export function readOtlpSettings(read: EnvReader): OtlpSettings | undefined {
  const folder = read.optionalText('TELEMETRY_FOLDER');
  const endpoint = readEndpoint(read, 'OTEL_EXPORTER_OTLP_');
  const protocol = read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', PROTOCOLS, { fallback: 'http/protobuf' });
  readExporter(read, 'OTEL_EXPORTER_OTLP_');
  const protocols: Partial<Record<Signal, Protocol>> = {};
  for (const signal of SIGNALS) {
    const prefix = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_`;
    const hasEndpoint = readEndpoint(read, prefix) || endpoint;
    const chosen = read.oneOf(`${prefix}PROTOCOL`, PROTOCOLS, { fallback: protocol });
    readExporter(read, prefix);
    const exporter = read.oneOf(`OTEL_${signal.toUpperCase()}_EXPORTER`, ['otlp', 'none'], { fallback: 'otlp' });
    if (exporter === 'otlp' && (hasEndpoint || folder !== undefined)) protocols[signal] = chosen;
  }
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, { fallback: 'parentbased_always_on' });
  const share = sampler.endsWith('traceidratio') ? readShare(read) : 1;
  const spans = readBatch(read, 'OTEL_BSP');
  const logRecords = readBatch(read, 'OTEL_BLRP');
  const intervalMs = read.int('OTEL_METRIC_EXPORT_INTERVAL', { min: 1, fallback: 60_000 });
  const timeoutMs = Math.min(read.int('OTEL_METRIC_EXPORT_TIMEOUT', { min: 1, fallback: 30_000 }), intervalMs);
  const sdkLogLevel = readSdkLogLevel(read);
  const isOff = read.bool('OTEL_SDK_DISABLED', { fallback: false });
  if (isOff || Object.keys(protocols).length === 0) return undefined;
  return { protocols, folder, sampler, share, spans, logRecords, sdkLogLevel, metrics: { intervalMs, timeoutMs } };
}

function readSdkLogLevel(read: EnvReader): SdkLogLevel | undefined {
  if (read.optionalText('OTEL_LOG_LEVEL') === undefined) return undefined;
  const parse = (text: string) => SDK_LOG_LEVELS.find((level) => level === text.toUpperCase());
  const rule = `must be one of ${SDK_LOG_LEVELS.join(', ').toLowerCase()}`;
  return read.parsed('OTEL_LOG_LEVEL', parse, { placeholder: 'NONE', rule });
}

const readShare = (read: EnvReader): number =>
  read.parsed(
    'OTEL_TRACES_SAMPLER_ARG',
    (text) => (Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined),
    {
      fallback: '1',
      placeholder: '1',
      rule: 'must be a number from 0 to 1',
    },
  );

/** The SDK would take its own address for a wrong one. @returns whether there is one */
function readEndpoint(read: EnvReader, prefix: string): boolean {
  const name = `${prefix}ENDPOINT`;
  if (read.optionalText(name) === undefined) return false;
  // gRPC may leave the protocol out.
  read.text(name, {
    pattern: /^(https?:\/\/)?[^\s/:]+(:\d{1,5})?(\/\S*)?$|^https?:\/\/\[[0-9a-fA-F:.]+\](:\d{1,5})?(\/\S*)?$/,
    rule: 'must be a URL that begins with http:// or https://, or host:port for grpc',
  });
  return true;
}

/** Checks what the SDK's exporters read themselves, and ignore where it is wrong. */
function readExporter(read: EnvReader, prefix: string): void {
  if (read.optionalText(`${prefix}TIMEOUT`)) read.int(`${prefix}TIMEOUT`, { min: 1 });
  if (read.optionalText(`${prefix}COMPRESSION`)) read.oneOf(`${prefix}COMPRESSION`, ['none', 'gzip']);
}

function readBatch(read: EnvReader, prefix: string): Batch {
  const names = {
    maxQueueSize: 'MAX_QUEUE_SIZE',
    maxExportBatchSize: 'MAX_EXPORT_BATCH_SIZE',
    scheduledDelayMillis: 'SCHEDULE_DELAY',
    exportTimeoutMillis: 'EXPORT_TIMEOUT',
  } as const;
  const set = Object.entries(names).filter(([, name]) => read.optionalText(`${prefix}_${name}`) !== undefined);
  return Object.fromEntries(set.map(([key, name]) => [key, read.int(`${prefix}_${name}`, { min: 1 })]));
}
