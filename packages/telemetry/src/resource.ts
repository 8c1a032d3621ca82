import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Metric } from './metrics/registry.ts';
import { hostedServices } from './services.ts';

const ROOT_PACKAGE = path.resolve(import.meta.dirname, '../../../package.json');

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of this process; start.ts hands it over. */
let given: Environment = {};

export function describeProcess(env: Environment): void {
  given = env;
}

/**
 * Who tells: the same in traces, metrics and logs, by OpenTelemetry's names. An instance is a process of a machine: in a cluster the
 * machine's name is the pod's. Services of one process differ by their name alone. OTEL_RESOURCE_ATTRIBUTES wins; OTEL_SERVICE_NAME
 * too, where the process has no more than one service.
 * @param service one of this process; undefined: the process itself
 */
export function resourceOf(service?: string): Readonly<Record<string, string>> {
  const attributes = fromEnvironment(given.OTEL_RESOURCE_ATTRIBUTES);
  const isOnly = hostedServices().length <= 1;
  if (!isOnly) delete attributes['service.name'];
  return {
    'service.namespace': 'catchment',
    'service.name': (isOnly && given.OTEL_SERVICE_NAME) || service || 'catchment',
    'service.version': ownVersion(),
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...attributes,
  };
}

/** The resource as Prometheus has it: a series of its own, by which others are joined. */
export function targetInfo(service?: string): Metric {
  const resource = Object.entries(resourceOf(service));
  const labels = Object.fromEntries(resource.map(([name, value]) => [name.replace(/[^a-zA-Z0-9_]/g, '_'), value]));
  return {
    name: 'target_info',
    help: 'Who tells: the service, its version and its instance, which services of one process share',
    type: 'gauge',
    labels: Object.keys(labels),
    read: async () => ({ values: [{ value: 1, labels }] }),
  };
}

let version: string | undefined;

/** Version of Catchment that this process runs. */
export function ownVersion(): string {
  version ??= (JSON.parse(readFileSync(ROOT_PACKAGE, 'utf8')) as { version: string }).version;
  return version;
}

/** `name=value,name=value`, values percent-encoded (OpenTelemetry's Resource SDK specification). */
function fromEnvironment(text = ''): Record<string, string> {
  const pairs = text
    .split(',')
    .map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair))
    .filter((pair) => pair !== null);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decoded(value.trim())]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
