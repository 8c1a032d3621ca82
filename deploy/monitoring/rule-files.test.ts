import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promtool } from '@catchment/testkit';
import { parse } from 'yaml';
import { alertsOf, RULES, readRuleFiles, rulesOf } from './rule-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RUNBOOK = 'docs/operations/runbook';
const PROMTOOL_MS = 180_000;
const SECTIONS = ['Symptom', 'Meaning', 'What to look at', 'What to do'];

const files = await readRuleFiles();
const alerts = alertsOf(files);

type Case = { readonly expr: string; readonly exp_samples: readonly unknown[] };
const casesOf = async (testFile: string): Promise<Case[]> => {
  const { tests } = parse(await readFile(testFile, 'utf8')) as { tests: { promql_expr_test: Case[] }[] };
  return tests.flatMap(({ promql_expr_test: cases }) => cases);
};

test(
  'Prometheus takes every rule file',
  async () => {
    expect(await promtool('check', 'rules', ...files.map(({ file }) => file))).toMatchObject({ code: 0 });
  },
  PROMTOOL_MS,
);

test.each(files.map(({ name, testFile }) => [name, testFile]))(
  'the cases of %s hold',
  async (_name, testFile) => {
    const { code, printed } = await promtool('test', 'rules', testFile);
    expect(code === 0 ? '' : printed).toBe('');
  },
  PROMTOOL_MS,
);

test('every rule file has a test, and every test a rule file', async () => {
  const expected = files.flatMap(({ file, testFile }) => [file, testFile]).map((file) => path.basename(file));
  expect((await readdir(RULES)).sort()).toEqual(expected.sort());
});

test('every alert has a case in which it fires and one in which it does not', async () => {
  const cases = (await Promise.all(files.map(({ testFile }) => casesOf(testFile)))).flat();
  const missing = alerts.flatMap(({ alert }) => {
    const own = cases.filter(({ expr }) => expr === `ALERTS{alertname="${alert}", alertstate="firing"}`);
    return [
      ...(own.some(({ exp_samples: samples }) => samples.length > 0) ? [] : [`${alert} fires nowhere`]),
      ...(own.some(({ exp_samples: samples }) => samples.length === 0) ? [] : [`${alert} is silent nowhere`]),
    ];
  });
  expect(missing).toEqual([]);
});

test('no two rules have the same name', () => {
  const names = rulesOf(files).map(({ alert, record }) => alert ?? record);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(alerts.map((rule) => [rule.alert, rule] as const))(
  '%s says how bad it is, what it is and what to do',
  (name, rule) => {
    expect(name).toMatch(/^Catchment[A-Z]/);
    expect(['critical', 'warning']).toContain(rule.labels?.severity);
    expect(rule.annotations).toEqual({
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/First /),
      runbook_url: `${RUNBOOK}/${name}.md`,
    });
  },
);

test('every alert has its page, every page an alert, and the index names them all', async () => {
  const pages = (await readdir(path.join(ROOT, RUNBOOK))).filter((page) => page !== 'README.md');
  expect(pages.sort()).toEqual(alerts.map(({ alert }) => `${alert}.md`).sort());
  const index = await readFile(path.join(ROOT, RUNBOOK, 'README.md'), 'utf8');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test.each(alerts.map(({ alert }) => [alert]))('the page of %s has its sections', async (alert) => {
  const page = await readFile(path.join(ROOT, RUNBOOK, `${alert}.md`), 'utf8');
  expect(page.split('\n')[0]).toBe(`# ${alert}`);
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(SECTIONS);
});
