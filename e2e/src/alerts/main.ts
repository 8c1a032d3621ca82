// `npm run test:alerts` causes each fault for real and waits for its alerts.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { metricsIn } from '../../../deploy/monitoring/metric-names.ts';
import { alertsOf, readRuleFiles, rulesOf } from '../../../deploy/monitoring/rule-files.ts';
import { type Outcome, runFault } from './fault.ts';
import { FAULTS } from './faults/index.ts';
import { scaledGroups } from './scaled-rules.ts';
import { openScene, type Scene } from './scene.ts';

const SCALE = { factor: 30, longestSeconds: 30 };

const HELP = `npm run test:alerts -- [options]

Starts Catchment with data of its own and a Prometheus (Debian's package) that scrapes its services every 2.5 s, with the rules of the
chart: durations divided by ${SCALE.factor}, at most ${SCALE.longestSeconds} s. Causes one fault after the other, waits until its alerts fire, repairs it, waits until they
are gone, and prints the times. Ends with status 0 when every alert fired and resolved. Takes about twenty minutes.

  --only <names>    faults with commas: ${FAULTS.map(({ name }) => name).join(', ')}
  --keep            leaves Prometheus and Catchment running until Ctrl-C
  --help
`;

const LIMITS = { quietMs: 120_000, firesMs: 150_000, resolvesMs: 150_000 };
const WARM_UP_MS = 10_000;

const beganMs = performance.now();
const say = (line: string) =>
  process.stdout.write(`${String(Math.round((performance.now() - beganMs) / 1_000)).padStart(6)} s  ${line}\n`);

/** Lists metrics that rules name and no process has. */
async function missingMetrics(scene: Scene, expressions: readonly string[]): Promise<string[]> {
  const { healthPorts } = await scene.installation.running();
  const pages = await Promise.all(
    Object.values(healthPorts).map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const known = new Set(['up']);
  for (const [, name = '', type] of pages.join('\n').matchAll(/^# TYPE (\S+) (\S+)/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) known.add(name + suffix);
  }
  return [...new Set(expressions.flatMap(metricsIn))].filter((name) => !known.has(name));
}

function table(rows: readonly (Outcome & { readonly fault: string })[]): string {
  const time = (seconds: number | undefined) => (seconds === undefined ? 'NEVER' : `${seconds.toFixed(1)} s`);
  const lines = rows.map(
    ({ alert, fault, fired, resolved }) =>
      `${alert.padEnd(42)}${fault.padEnd(18)}${time(fired).padStart(9)}${time(resolved).padStart(12)}`,
  );
  return [`${'alert'.padEnd(42)}${'fault'.padEnd(18)}${'fires'.padStart(9)}${'resolves'.padStart(12)}`, ...lines].join(
    '\n',
  );
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const wanted = values.only?.split(',');
  const unknown = wanted?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`--only: there is no fault ${unknown.join(', ')}; see --help`);
  const files = await readRuleFiles();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-rules-'));
  const scaled = await Promise.all(
    files.map(async ({ name, groups }) => {
      const file = path.join(folder, `${name}.yaml`);
      await writeFile(file, stringify({ groups: scaledGroups(groups, SCALE) }));
      return file;
    }),
  );
  say('starting Catchment and Prometheus');
  const scene = await openScene(scaled);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const rows: (Outcome & { fault: string })[] = [];
  let missing: string[] = [];
  try {
    say(`Prometheus is at ${scene.prometheus.url}`);
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    for (const fault of FAULTS.filter(({ name }) => wanted?.includes(name) ?? true)) {
      if (ending.signal.aborted) break;
      say(`${fault.name}: ${fault.what}`);
      const outcomes = await runFault(scene, fault, LIMITS, { say, signal: ending.signal }).catch((error: Error) => {
        say(`  ${error.stack ?? error.message}`);
        return [...fault.alerts, ...(fault.afterwards ?? [])].map((alert) => ({ alert }));
      });
      rows.push(...outcomes.map((outcome) => ({ ...outcome, fault: fault.name })));
    }
    missing = await missingMetrics(
      scene,
      rulesOf(files).map(({ expr }) => expr),
    );
    if (values.keep) {
      say('Ctrl-C ends it');
      if (!ending.signal.aborted) await once(ending.signal, 'abort');
    }
  } finally {
    await scene.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${table(rows)}\n\n`);
  const seen = new Set(rows.map(({ alert }) => alert));
  const left = wanted ? [] : alertsOf(files).filter(({ alert }) => !seen.has(alert));
  for (const { alert } of left) process.stdout.write(`FAILED ${alert}: no fault causes it\n`);
  for (const name of missing) process.stdout.write(`FAILED no process has the metric ${name}\n`);
  const failed = rows.filter(({ fired, resolved }) => fired === undefined || resolved === undefined).length;
  process.stdout.write(`${rows.length - failed} of ${rows.length} alerts fired and resolved\n`);
  return failed + left.length + missing.length === 0 ? 0 : 1;
}

process.exitCode = await main();
