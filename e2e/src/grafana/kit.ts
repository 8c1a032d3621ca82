import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { type Choice, type DataSource, framesOf, type InfinityQuery, type Range, type Scope } from './infinity.ts';

const KIT = path.resolve(import.meta.dirname, '../../../deploy/grafana');

type Variable = {
  readonly name: string;
  readonly type: 'query' | 'textbox';
  readonly includeAll?: boolean;
  readonly allValue?: string;
  readonly query: string | { readonly infinityQuery: InfinityQuery };
};
type Panel = { readonly title: string; readonly targets: readonly InfinityQuery[]; readonly repeat?: string };
export type Dashboard = {
  readonly title: string;
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: { readonly list: readonly { readonly name: string; readonly target: InfinityQuery }[] };
  readonly panels: readonly Panel[];
};

export const dashboardOf = async (name: string): Promise<Dashboard> =>
  JSON.parse(await readFile(path.join(KIT, 'dashboards', `${name}.json`), 'utf8'));

/** Returns the data source as Grafana provisions it, with these variables of the environment; one that is missing is empty. */
export async function dataSourceWith(env: Readonly<Record<string, string>>): Promise<DataSource> {
  const text = await readFile(path.join(KIT, 'provisioning/datasources/catchment.yaml'), 'utf8');
  const filled = (value: string) => value.replaceAll(/\$\{(\w+)\}/g, (_whole, name) => env[name] ?? '');
  // Values are filled in once they are read: none becomes anything but a text.
  return parse(text, (_key, value) => (typeof value === 'string' ? filled(value) : value)).datasources[0];
}

/**
 * Returns the variables of a dashboard, one after the other, as each may name those before it.
 * @param wanted texts of what is chosen; absent = «All» where there is such, otherwise the first
 */
export async function chosenOf(
  { templating }: Dashboard,
  source: DataSource,
  range: Range,
  wanted: Readonly<Record<string, string>>,
): Promise<{ scope: Scope; options: Readonly<Record<string, readonly Choice[]>> }> {
  const scope: Record<string, readonly Choice[]> = {};
  const options: Record<string, readonly Choice[]> = {};
  for (const { name, query, includeAll, allValue } of templating.list) {
    if (typeof query === 'string') {
      scope[name] = [{ text: query, value: query }];
      continue;
    }
    const found = await framesOf(query.infinityQuery, source, scope, range);
    const offered = (found.__value ?? []).map((value, n) => ({
      text: String(found.__text?.[n]),
      value: String(value),
    }));
    options[name] = offered;
    const all = allValue === undefined ? offered : [{ text: 'All', value: allValue }];
    const named = offered.filter(({ text }) => text === wanted[name]);
    scope[name] = wanted[name] !== undefined ? named : includeAll ? all : offered.slice(0, 1);
  }
  return { scope, options };
}
