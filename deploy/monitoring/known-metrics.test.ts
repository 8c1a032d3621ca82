import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DASHBOARDS } from '../dashboards/plans.ts';
import { knownMetrics } from './known-metrics.ts';
import { logTexts } from './log-texts.ts';
import { metricsIn } from './metric-names.ts';
import { readRuleFiles, rulesOf } from './rule-files.ts';

const RUNBOOK = path.resolve(import.meta.dirname, '../../docs/operations/runbook');
/** These are of the cluster, not of our services. */
const OTHERS = /^container_/;

const known = await knownMetrics();
const unknown = (queries: readonly string[]) =>
  queries.flatMap(metricsIn).filter((name) => !known.has(name) && !OTHERS.test(name));

test('the services have every metric that a rule names', async () => {
  expect(unknown(rulesOf(await readRuleFiles()).map(({ expr }) => expr))).toEqual([]);
});

test.each(DASHBOARDS.map(({ name, rows }) => [name, rows] as const))(
  'the services have every metric that the dashboard %s shows',
  (_name, rows) => {
    const queries = rows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries.map(({ expr }) => expr)));
    expect(unknown(queries)).toEqual([]);
  },
);

test('the services have every metric that a page of the runbook asks for', async () => {
  const pages = await Promise.all((await readdir(RUNBOOK)).map((page) => readFile(path.join(RUNBOOK, page), 'utf8')));
  const queries = pages.flatMap((page) =>
    [...page.matchAll(/```promql\n([\s\S]*?)```/g)].map(([, query = '']) => query),
  );
  expect(queries.length).toBeGreaterThan(20);
  expect(unknown(queries)).toEqual([]);
});

test('the services write every text that a page of the runbook looks for in their logs', async () => {
  const pages = await Promise.all((await readdir(RUNBOOK)).map((page) => readFile(path.join(RUNBOOK, page), 'utf8')));
  const looks = pages.flatMap((page) => [...page.matchAll(/^kubectl .* logs .*service-(\w+).*\| grep '([^']+)'/gm)]);
  expect(looks.length).toBeGreaterThan(20);
  const missing: string[] = [];
  for (const [, service = '', wanted = ''] of looks) {
    const texts = await logTexts(service === 'SERVICE' ? undefined : service);
    if (!texts.some((text) => text.includes(wanted))) missing.push(`${service}: ${wanted}`);
  }
  expect(missing).toEqual([]);
});
