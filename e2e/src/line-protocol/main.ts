// `npm run test:line-protocol`: InfluxDB's own clients and Telegraf write to a separate installation; what is stored is compared.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import type { Ended } from '../clients/tools.ts';
import { startInstallation } from '../installation.ts';
import { CASES, type Case, type Place } from './cases.ts';
import { provideClients } from './tools.ts';

const HELP = `npm run test:line-protocol -- [options]

Starts Catchment with data of its own, and has clients of InfluxDB write to it: influxdb and influxdb-client of Python, influx and
@influxdata/influxdb-client of Node, and Telegraf, which is built from its sources where there is a Go. They go into
node_modules/.cache. Ends with «N passed, N failed», and status 0 where nothing failed; what is missing is said.

  --only <part>   of the names of cases
  --help
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const wanted = CASES.filter(({ name }) => name.includes(values.only));
  const clients = await provideClients(new Set(wanted.map(({ needs }) => needs)), say);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-lines-'));
  const installation = await startInstallation({ args: ['--no-demo'] });
  let [passed, failed] = [0, 0];
  try {
    const { api } = installation;
    const { locationId } = await api.createSite();
    const source = 'lines';
    await api.create({ _class: `${MODEL}.source.data.Jts`, name: 'Lines', parentId: locationId, customId: source });
    const other = await installation.account({ name: 'Stranger' });
    const place: Place = { url: installation.url, key: api.key, otherKey: other.api.key, source, folder, clients };
    for (const candidate of wanted) {
      const reason = clients.missing.get(candidate.needs);
      if (reason !== undefined) {
        say(`MISSING ${candidate.name}: ${reason}`);
        continue;
      }
      const wrong = await faultOf(candidate, place, api);
      if (wrong === undefined) passed += 1;
      else failed += 1;
      say(wrong === undefined ? `ok      ${candidate.name}` : `FAULT   ${candidate.name}: ${wrong}`);
    }
    const logs = await Promise.all(
      Object.values((await installation.running()).logFiles).map((file) => readFile(file, 'utf8')),
    );
    if (logs.some((log) => log.includes(api.key))) {
      failed += 1;
      say('FAULT   the key is in a log');
    } else passed += 1;
  } finally {
    await installation.stop();
    await rm(folder, { recursive: true, force: true });
  }
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

async function faultOf({ run, says, stores = {} }: Case, place: Place, api: Api): Promise<string | undefined> {
  const ended: Ended = await run(place);
  const printed = ended.output.replaceAll(place.key, '<key>').trim().slice(-1_500);
  if (ended.code !== 0) return `ended with ${ended.code}: ${printed}`;
  if (says !== undefined && !ended.output.includes(says)) return `did not say «${says}»: ${printed}`;
  for (const [series, records] of Object.entries(stores)) {
    let found: unknown;
    const isThere = async () => {
      found = await recordsOf(api, series);
      return JSON.stringify(found) === JSON.stringify(records);
    };
    const wrong = await until(isThere, { what: `the records of ${series}` }).then(
      () => undefined,
      () => `${series} has ${JSON.stringify(found)}, not ${JSON.stringify(records)}: ${printed}`,
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function recordsOf(api: Api, series: string): Promise<unknown> {
  const nodes = (await api.get('/nodes?attr=_id,series')).json as { _id: string; series?: string }[];
  const node = nodes.find((node) => node.series === series);
  if (!node) return `no such series; there are ${nodes.flatMap((node) => node.series ?? []).join(' · ')}`;
  const { data } = (await api.get(`/nodes/${node._id}/historic?limit=100&endTime=2100-01-01T00:00:00Z`)).json as {
    data: { ts: string; f: { 0: { v: unknown } } }[];
  };
  return data.map(({ ts, f }) => [Date.parse(ts), f[0].v]);
}

process.exitCode = await main();
