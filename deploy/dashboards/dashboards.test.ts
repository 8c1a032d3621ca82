import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promtool } from '@catchment/testkit';
import { stringify } from 'yaml';
import { readRuleFiles, rulesOf } from '../monitoring/rule-files.ts';
import { committedDashboards, dashboardFiles } from './dashboard-files.ts';
import { DASHBOARDS } from './plans.ts';

const SERVICES = ['gateway', 'nodes', 'historic', 'alarms', 'events', 'devices', 'render', 'processing'];
const PROMTOOL_MS = 180_000;

const queries = DASHBOARDS.flatMap(({ rows }) =>
  rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries.map(({ expr }) => expr))),
);

test('the committed dashboards are those of the plans (npm run dashboards -w deploy writes them)', async () => {
  expect(await committedDashboards()).toEqual(dashboardFiles());
});

test('there is an overview and one for each service', () => {
  expect(DASHBOARDS.map(({ name }) => name).sort()).toEqual(['overview', ...SERVICES].sort());
});

test(
  'Prometheus understands every query',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-queries-'));
    try {
      const file = path.join(folder, 'queries.yaml');
      // What Grafana puts in.
      const plain = queries.map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*'));
      const rules = plain.map((expr, index) => ({ record: `query:${index}`, expr }));
      await writeFile(file, stringify({ groups: [{ name: 'queries', rules }] }));
      const { code, printed } = await promtool('check', 'rules', file);
      expect(code === 0 ? '' : printed).toBe('');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  PROMTOOL_MS,
);

test('every recorded metric that is shown is recorded by a rule', async () => {
  const recorded = new Set(rulesOf(await readRuleFiles()).map(({ record }) => record));
  const shown = queries.flatMap((expr) => expr.match(/catchment:\w+:\w+/g) ?? []);
  expect(shown.filter((name) => !recorded.has(name))).toEqual([]);
});

test('no query asks twice for the same in a panel', () => {
  for (const { rows } of DASHBOARDS)
    for (const { panels } of rows)
      for (const { queries: own } of panels) expect(new Set(own.map(({ expr }) => expr)).size).toBe(own.length);
});
