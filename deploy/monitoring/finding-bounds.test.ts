import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { FINDING_BOUNDS } from '@catchment/bus';
import { alertsOf, readRuleFiles } from './rule-files.ts';

const RUNBOOK = path.resolve(import.meta.dirname, '../../docs/operations/runbook');
const alerts = alertsOf(await readRuleFiles());
const index = await readFile(path.join(RUNBOOK, 'README.md'), 'utf8');

test.each(
  Object.entries(FINDING_BOUNDS).flatMap(([about, { warning, alerts: of }]) =>
    Object.entries(of).map(([alert, bound]) => ({ about, alert, warning, ...bound })),
  ),
)('$alert fires at the bound that its page names, and not before the doctor warns', async ({ about, ...of }) => {
  const { alert, at, words, warning } = of;
  const rule = alerts.find((candidate) => candidate.alert === alert);
  const [, sign, bound] = /([<>]) (\d+(?:\.\d+)?)(?: \* 86400)?\s*$/.exec(rule?.expr ?? '') ?? [];
  expect({ sign, bound: Number(bound) }).toEqual({ sign: about === 'certificate' ? '<' : '>', bound: at });
  expect(sign === '<' ? at <= warning : at >= warning).toBe(true);
  const symptom = (await readFile(path.join(RUNBOOK, `${alert}.md`), 'utf8')).split('\n')[4];
  expect(symptom).toContain(words);
  expect(index.split('\n').find((line) => line.includes(`[${alert}]`))).toContain(words);
});

test.each(alerts.map((rule) => [rule.alert, rule.labels?.severity]))(
  'the index says of %s that it is %s',
  (alert, severity) => {
    expect(index).toContain(`| [${alert}](${alert}.md) | ${severity} | `);
  },
);
