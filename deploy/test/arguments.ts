import path from 'node:path';

/** Splits arguments of scripts against a cluster: files of values, and other words. */
export function readArguments(args: readonly string[]): { values: string[]; words: string[] } {
  const values = args.filter((arg) => arg.endsWith('.yaml'));
  return {
    values: values.length > 0 ? values : [path.join(import.meta.dirname, 'cluster-values.yaml')],
    words: args.filter((arg) => !arg.endsWith('.yaml')),
  };
}

const SERVICES = ['gateway', 'nodes', 'historic', 'alarms', 'events', 'devices', 'render', 'processing'] as const;

/** Two replicas of each service. */
export const TWO_REPLICAS = SERVICES.map((service) => `${service}.replicas=2`);
export { SERVICES };
