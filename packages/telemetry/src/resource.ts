import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { EnvReader } from '@catchment/config';
import type { Metric } from './metrics/registry.ts';
import { hostedServices } from './services.ts';

const ROOT_PACKAGE = path.resolve(import.meta.dirname, '../../../package.json');

type Attributes = Readonly<Record<string, string>>;
type Given = { readonly serviceName: string | undefined; readonly attributes: Attributes; readonly pod: Attributes };

/** A pod knows this of itself, by the settings that its manifest gives it. */
const OF_POD = { 'k8s.namespace.name': 'POD_NAMESPACE', 'k8s.pod.name': 'POD_NAME' } as const;

/** The environment says this of this process. */
let given: Given = { serviceName: undefined, attributes: {}, pod: {} };

/** Takes over OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES (start.ts). */
export function describeProcess(read: EnvReader): void {
  given = {
    serviceName: read.optionalText('OTEL_SERVICE_NAME'),
    attributes: read.parsed('OTEL_RESOURCE_ATTRIBUTES', attributesOf, {
      fallback: '',
      placeholder: '',
      rule: 'must be name=value pairs with commas between them',
    }),
    pod: Object.fromEntries(
      Object.entries(OF_POD).flatMap(([name, setting]) => {
        const value = read.optionalText(setting);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/**
 * Names who reports: the same in traces, metrics and logs, by OpenTelemetry's names. An instance is a process of a
 * machine: in a cluster the machine's name is the pod's. Services of one process differ by their name alone.
 * OTEL_RESOURCE_ATTRIBUTES wins; OTEL_SERVICE_NAME too, and a name there, where the process has no more than one
 * service.
 * @param service one of this process; undefined: the process itself
 */
export function resourceOf(service?: string): Readonly<Record<string, string>> {
  const { 'service.name': named, ...attributes } = given.attributes;
  const onlyName = hostedServices().length <= 1 ? (named ?? given.serviceName) : undefined;
  return {
    'service.namespace': 'catchment',
    'service.name': onlyName ?? service ?? 'catchment',
    'service.version': ownVersion(),
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...given.pod,
    ...attributes,
  };
}

/** Returns the resource as Prometheus has it: a series of its own, by which others are joined. */
export function targetInfo(service?: string): Metric {
  const resource = Object.entries(resourceOf(service));
  const labels = Object.fromEntries(resource.map(([name, value]) => [name.replace(/[^a-zA-Z0-9_]/g, '_'), value]));
  return {
    name: 'target_info',
    help: 'Who reports: the service, its version and its instance, which services of one process share',
    type: 'gauge',
    labels: Object.keys(labels),
    read: async () => ({ values: [{ value: 1, labels }] }),
  };
}

let version: string | undefined;

/** Returns the version of Catchment that this process runs. */
export function ownVersion(): string {
  version ??= (JSON.parse(readFileSync(ROOT_PACKAGE, 'utf8')) as { version: string }).version;
  return version;
}

/**
 * `name=value,name=value`, values percent-encoded (OpenTelemetry's Resource SDK specification).
 * @returns undefined for anything else
 */
function attributesOf(text: string): Record<string, string> | undefined {
  const items = text.split(',').filter((item) => item.trim() !== '');
  const pairs = items.map((item) => /^\s*([^=\s]+)\s*=(.*)$/.exec(item));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decoded((pair?.[2] ?? '').trim())]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
