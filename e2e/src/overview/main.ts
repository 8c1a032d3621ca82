// `npm run overview -w e2e` draws what the dashboards show in four scenes, by a real Prometheus; the table goes into
// docs/operations/telemetry.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hang, type OwnPrometheus, ownPrometheus, until } from '@catchment/testkit';
import { stringify } from 'yaml';
import { STATES } from '../../../deploy/dashboards/overview.ts';
import { colorOf, isTile, type Tile } from '../../../deploy/dashboards/panels.ts';
import { plainQuery } from '../../../deploy/dashboards/plain-query.ts';
import { DASHBOARDS } from '../../../deploy/dashboards/plans.ts';
import { readRuleFiles } from '../../../deploy/monitoring/rule-files.ts';
import { scaledGroups } from '../alerts/scaled-rules.ts';
import { MODEL } from '../api.ts';
import { type Installation, startInstallation } from '../installation.ts';

const SCALE = { factor: 30, longestSeconds: 30 };
const PAGE = path.resolve(import.meta.dirname, '../../../docs/operations/telemetry.md');
const [BEGIN, END] = ['<!-- overview -->\n', '<!-- /overview -->'];
const SETTLES_MS = 25_000;
const STARTED = 'process_start_time_seconds{service="render"}';

type Seen = ReadonlyMap<string, { readonly value: number; readonly color: string }>;

/** Every query of every dashboard is asked. @returns the tiles of the overview @throws Error for a panel without an answer */
async function look(prometheus: OwnPrometheus): Promise<Seen> {
  const empty: string[] = [];
  for (const { name, rows } of DASHBOARDS)
    for (const { panels } of rows)
      for (const { title, queries } of panels) {
        const answers = await Promise.all(queries.map(({ expr }) => prometheus.query(plainQuery(expr, '10s'))));
        if (answers.every((values) => values.length === 0)) empty.push(`${name}: ${title}`);
      }
  if (empty.length > 0) process.stdout.write(`no data: ${empty.join(', ')}\n`);
  const tiles = STATES.panels.filter(isTile).map(async (tile: Tile) => {
    const [value = Number.NaN] = await prometheus.query(plainQuery(tile.queries[0]?.expr ?? '', '10s'));
    return [tile.title, { value, color: colorOf(tile, value) }] as const;
  });
  return new Map(await Promise.all(tiles));
}

function table(scenes: ReadonlyMap<string, Seen>): string {
  const lines = STATES.panels.map(({ title }) => {
    const cells = [...scenes.values()].map((seen) => {
      const { value, color } = seen.get(title) ?? { value: Number.NaN, color: 'none' };
      const shown = value >= 1e9 ? '–' : String(Math.round(value * 100) / 100);
      return color === 'green' ? shown : `**${color}** ${shown}`;
    });
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return [`| tile | ${[...scenes.keys()].join(' | ')} |`, `|---|${'---|'.repeat(scenes.size)}`, ...lines].join('\n');
}

async function scenesOf(installation: Installation, prometheus: OwnPrometheus): Promise<Map<string, Seen>> {
  const { api } = installation;
  const { sourceId } = await api.createSite('Weir');
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: sourceId,
    units: 'm',
  });
  const ending = new AbortController();
  let written = 0;
  const load = async () => {
    while (!ending.signal.aborted) {
      written += 1;
      const timestamp = new Date(Date.UTC(2024, 0, 1) + written * 60_000).toISOString();
      const path = `/nodes/${level._id}/historic`;
      await Promise.allSettled([
        api.put(`${path}/now`, { value: written, timestamp }),
        api.get(`${path}?startTime=2024-01-01T00:00:00Z&limit=10`),
      ]);
      await delay(50);
    }
  };
  const scenes = new Map<string, Seen>();
  await delay(SETTLES_MS);
  scenes.set('idle', await look(prometheus));
  const loading = load();
  await delay(SETTLES_MS);
  scenes.set('load', await look(prometheus));
  const pids = await installation.pids();
  const goOn = await hang(pids.influx ?? 0);
  await delay(SETTLES_MS);
  scenes.set('InfluxDB away', await look(prometheus));
  await goOn();
  await delay(2 * SETTLES_MS);
  for (let n = 0; n < 4; n += 1) {
    const [before] = await prometheus.query(STARTED);
    await installation.kill('render');
    await until(async () => ![undefined, before].includes((await prometheus.query(STARTED))[0]), {
      deadlineMs: 60_000,
    });
  }
  await installation.kill('render');
  await delay(8_000);
  scenes.set('render crashes', await look(prometheus));
  ending.abort();
  await loading;
  return scenes;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-rules-'));
  const rules = await Promise.all(
    (await readRuleFiles()).map(async ({ name, groups }) => {
      const file = path.join(folder, `${name}.yaml`);
      await writeFile(file, stringify({ groups: scaledGroups(groups, SCALE) }));
      return file;
    }),
  );
  const installation = await startInstallation({ processes: 'each', args: ['--no-demo'] });
  try {
    const prometheus = await ownPrometheus(rules);
    try {
      const { healthPorts } = await installation.running();
      const targets = Object.entries(healthPorts).map(([service, port]) => ({
        address: `127.0.0.1:${port}`,
        labels: { service, namespace: 'water' },
      }));
      await prometheus.setTargets(targets);
      const text = table(await scenesOf(installation, prometheus));
      process.stdout.write(`${text}\n`);
      const [head, rest = ''] = (await readFile(PAGE, 'utf8')).split(BEGIN);
      const [, tail = ''] = rest.split(END);
      await writeFile(PAGE, `${head}${BEGIN}\n${text}\n\n${END}${tail}`);
    } finally {
      await prometheus.stop();
    }
  } finally {
    await installation.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
