import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../installation.ts';

type Workload = { readonly resources?: { readonly limits?: { readonly memory?: string } } };

const UNITS: Readonly<Record<string, number>> = { Mi: 1, Gi: 1024 };

/** Reads the memory limits of the services' pods in the chart's own values, MiB. */
export async function podLimits(services: readonly string[]): Promise<Record<string, number>> {
  const text = await readFile(path.join(ROOT, 'deploy/chart/catchment/values.yaml'), 'utf8');
  const values = parse(text) as Record<string, Workload>;
  return Object.fromEntries(
    services.map((name) => {
      const given = values[name]?.resources?.limits?.memory ?? values.workload?.resources?.limits?.memory ?? '';
      const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(given) ?? [];
      return [name, Number(number) * (UNITS[unit] ?? Number.NaN)];
    }),
  );
}
