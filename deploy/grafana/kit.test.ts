import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { committedKit, kitFiles } from './files.ts';
import { dashboardOf } from './panels.ts';
import { PLANS } from './plans.ts';
import { DATASOURCE, type Query } from './queries.ts';

type Variable = { name: string; query: string | { infinityQuery: Query } };
const BOARDS = PLANS.map((plan) => ({ ...plan, board: dashboardOf(plan), vars: plan.variables as Variable[] }));
const queriesOf = ({ vars, annotations, panels }: (typeof BOARDS)[number]): Query[] => [
  ...vars.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.infinityQuery])),
  ...annotations.map(({ query }) => query),
  ...panels.flatMap(({ queries }) => queries),
];
const fromEnvironment = (name: string) => `\${CATCHMENT_${name}}`;
const each = BOARDS.map((board) => [board.name, board] as const);
const provisioned = async (file: string) => {
  const text = await readFile(path.join(import.meta.dirname, 'provisioning', file), 'utf8');
  return { text, document: parse(text) };
};

test('the committed dashboards are those of the plans (npm run grafana -w deploy writes them)', async () => {
  expect(await committedKit()).toEqual(new Map([...kitFiles()].sort()));
});

test.each(each)('%s: panels have titles of their own, a description and a unit', (_name, { panels, about }) => {
  const titles = panels.map(({ title }) => title);
  expect(titles.filter((title, n) => titles.indexOf(title) !== n)).toEqual([]);
  expect(panels.filter((panel) => panel.about.length < 20 || panel.unit === '')).toEqual([]);
  expect(about.length).toBeGreaterThan(20);
});

test.each(each)('%s: every variable is used, and what is used is a variable', (_name, { vars, board }) => {
  const names = vars.map(({ name }) => name);
  const used = new Set([...JSON.stringify(board).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  // Grafana's and Infinity's own begin with two lines.
  const own = [...used].filter((name) => !name.startsWith('__'));
  expect(own.sort()).toEqual(names.toSorted());
  // A variable of such a name would be put in place of an operator of filters.
  expect(names.filter((name) => ['eq', 'ne', 'match', 'like'].includes(name))).toEqual([]);
  // A variable names only those before it.
  for (const [n, variable] of vars.entries())
    for (const [, name = ''] of JSON.stringify(variable.query).matchAll(/\$\{(\w+)/g))
      expect(names.slice(0, n)).toContain(name);
});

test.each(each)(
  '%s only reads, by the data source of the kit, in columns that have names and types',
  (_name, example) => {
    for (const query of queriesOf(example)) {
      expect([query.url_options.method, query.parser, query.datasource]).toEqual(['GET', 'backend', DATASOURCE]);
      expect(query.url).toMatch(/^\/api\/v1\//);
      const shown = query.columns.map(({ text }) => text);
      expect([shown.length > 0, new Set(shown).size]).toEqual([true, shown.length]);
      for (const { selector, type } of query.columns) {
        expect(selector).toMatch(/^\w+(\.\w+)*$/);
        expect(['string', 'number', 'timestamp', 'boolean']).toContain(type);
      }
    }
  },
);

test.each(each)('%s: annotations are time, timeEnd, text and tags', (_name, { annotations }) => {
  for (const { query } of annotations) {
    const shown = query.columns.map(({ text }) => text);
    expect(shown.filter((name) => !['time', 'timeEnd', 'text', 'tags'].includes(name))).toEqual([]);
    expect(shown).toEqual(expect.arrayContaining(['time', 'text', 'tags']));
    expect(query.format).toBe('dataframe');
  }
});

test.each(each)('%s: what is joined has the same column in each of its queries', (_name, { panels }) => {
  for (const { queries, more } of panels) {
    const [join] = (more?.transformations ?? []) as { id: string; options: { byField: string } }[];
    if (join?.id !== 'joinByField') expect(queries).toHaveLength(1);
    else for (const { columns } of queries) expect(columns.map(({ text }) => text)).toContain(join.options.byField);
  }
});

test('dashboards have ids of their own, which are not those of the overview for operators', () => {
  const uids = BOARDS.map(({ board }) => board.uid);
  expect(new Set(uids).size).toBe(3);
  for (const uid of uids) expect(uid).toMatch(/^catchment-kit-/);
});

test('the data source has its address and key from the environment, without a default, and sends the key nowhere else', async () => {
  const { text, document } = await provisioned('datasources/catchment.yaml');
  const [source] = document.datasources;
  expect({ type: source.type, uid: source.uid }).toEqual(DATASOURCE);
  expect(source.secureJsonData).toEqual({ apiKeyValue: fromEnvironment('KEY') });
  expect([source.url, source.jsonData.allowedHosts]).toEqual([fromEnvironment('URL'), [fromEnvironment('URL')]]);
  expect([...text.matchAll(/\$\{?([^}\s]*)/g)].map(([, name]) => name)).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/[^A-Z_]/)]),
  );
  expect(source.jsonData.allowDangerousHTTPMethods).toBeUndefined();
});

test('the dashboards are looked for where the page mounts them', async () => {
  const { document } = await provisioned('dashboards/catchment.yaml');
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/grafana.md'), 'utf8');
  expect(page).toContain(`/deploy/grafana/dashboards:${document.providers[0].options.path}`);
});
