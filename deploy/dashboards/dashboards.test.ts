import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promtool } from '@catchment/testkit';
import { stringify } from 'yaml';
import { readRuleFiles, rulesOf } from '../monitoring/rule-files.ts';
import { committedDashboards, dashboardFiles } from './dashboard-files.ts';
import { STATES } from './overview.ts';
import { colorOf, isTile } from './panels.ts';
import { plainQuery } from './plain-query.ts';
import { DASHBOARDS } from './plans.ts';

const SERVICES = ['gateway', 'nodes', 'historic', 'alarms', 'events', 'devices', 'render', 'processing'];
const RUNBOOK = path.resolve(import.meta.dirname, '../../docs/operations/runbook');
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
      // Grafana puts in these.
      const plain = queries.map((expr) => plainQuery(expr));
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

const everyPanel = DASHBOARDS.flatMap(({ name, rows }) =>
  rows.flatMap(({ panels }) => panels.map((panel) => ({ name, panel }))),
);

test('every panel says what it shows', () => {
  expect(everyPanel.filter(({ panel }) => panel.about.length < 10)).toEqual([]);
});

test.each(DASHBOARDS.map(({ name, rows }) => [name, rows] as const))(
  'no two panels of %s have one title',
  (_name, rows) => {
    const titles = rows.flatMap(({ panels }) => panels.map(({ title }) => title));
    expect(titles.filter((title, n) => titles.indexOf(title) !== n)).toEqual([]);
  },
);

test('a panel without series shows 0 in place of «No data»: but those of one process each', () => {
  const without = everyPanel.flatMap(({ name, panel }) =>
    panel.queries.some(({ expr }) => /or on\(\) vector\(/.test(expr)) ? [] : [`${name}: ${panel.title}`],
  );
  const ofProcesses = ['Processor', 'Memory', 'Event loop, longest delays', 'Starts within an hour'];
  expect(without.filter((missing) => !ofProcesses.some((title) => missing.endsWith(`: ${title}`)))).toEqual([]);
});

test('the overview begins with states, each with a page of the runbook', async () => {
  const pages = new Set(await readdir(RUNBOOK));
  const tiles = STATES.panels.filter(isTile);
  expect(tiles).toHaveLength(STATES.panels.length);
  expect(tiles.filter(({ runbook }) => !pages.has(`${runbook}.md`))).toEqual([]);
});

test.each([
  ['Alerts that wake somebody', 0, 'green'],
  ['Alerts that wake somebody', 1, 'red'],
  ['Alerts that wait for the morning', 3, 'orange'],
  ['Processes started anew', 1, 'orange'],
  ['Processes started anew', 3, 'red'],
  ['Fullest volume or stream', 0.79, 'green'],
  ['Fullest volume or stream', 0.96, 'red'],
  ['Age of the last good backup', 3_600, 'green'],
  ['Age of the last good backup', 27 * 3_600, 'red'],
  ['Age of the last good backup', 1e9, 'red'],
  ['First certificate to end', 1e9, 'green'],
  ['First certificate to end', 90 * 86_400, 'green'],
  ['First certificate to end', 20 * 86_400, 'orange'],
  ['First certificate to end', -60, 'red'],
])('«%s» with %d is %s', (title, value, color) => {
  const tile = STATES.panels.filter(isTile).find((panel) => panel.title === title);
  expect(tile && colorOf(tile, value)).toBe(color);
});
