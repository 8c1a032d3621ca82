import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Metric } from './metrics/registry.ts';

const ROOT_PACKAGE = path.resolve(import.meta.dirname, '../../../package.json');

/** The entry of services is services/NAME/src/main.ts. */
const serviceOfEntry = (): string =>
  /services\/([a-z]+)\/src\/main\.ts$/.exec(process.argv[1]?.replaceAll('\\', '/') ?? '')?.[1] ?? 'catchment';

/**
 * Who tells: the same in traces, metrics and logs, by OpenTelemetry's names. An instance is a process of a machine: in a cluster the
 * machine's name is the pod's. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
 */
export function ownResource(): Readonly<Record<string, string>> {
  return {
    'service.namespace': 'catchment',
    'service.name': process.env.OTEL_SERVICE_NAME || serviceOfEntry(),
    'service.version': ownVersion(),
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...fromEnvironment(process.env.OTEL_RESOURCE_ATTRIBUTES),
  };
}

/** The resource as Prometheus has it: a series of its own, by which others are joined. */
export function targetInfo(): Metric {
  const resource = Object.entries(ownResource());
  const labels = Object.fromEntries(resource.map(([name, value]) => [name.replace(/[^a-zA-Z0-9_]/g, '_'), value]));
  return {
    name: 'target_info',
    help: 'The process that tells: its service, version and instance',
    type: 'gauge',
    labels: Object.keys(labels),
    read: async () => ({ values: [{ value: 1, labels }] }),
  };
}

/** Version of Catchment that this process runs. */
export const ownVersion = (): string =>
  process.env.CATCHMENT_VERSION || (JSON.parse(readFileSync(ROOT_PACKAGE, 'utf8')) as { version: string }).version;

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
