import { setTimeout as delay } from 'node:timers/promises';
import { apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { clientOf } from '../loads/flood.ts';
import { imei, Modem } from '../loads/modem.ts';
import { nowRequest } from '../loads/write-scenarios.ts';
import { atMost, figure, type Row } from '../report.ts';
import { makeSources } from '../writes/measure-modems.ts';
import { Neighbour } from './lag/beside.ts';
import { preparedWorks } from './lag/works.ts';

/** See docs/reference/guarantees.md#fairness. */
const MOST_MS = 1_000;
const SETTLE_MS = 2_000;

/**
 * Measures how long a modem's acknowledgement and a now write take beside each of the long pieces of work, and the longest delay of each
 * process's event loop.
 */
export async function measureLag(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const [source = ''] = await makeSources(api, [imei(0)]);
  const [parameter] = await api<{ _id: string }[]>('GET', `/nodes?attr=_id&filter=parentId($eq:${source})`);
  const modem = new Modem(imei(0));
  await modem.open((await installation.ports()).scout);
  const pool = clientOf(installation, 100);
  const neighbour = new Neighbour(modem, pool, installation.key, (nth) => nowRequest(parameter?._id ?? '', nth));
  const works = await preparedWorks(installation, scale);
  const rows: Row[] = [];
  try {
    await delay(SETTLE_MS);
    for (const { name, run } of [{ name: 'nothing else', run: () => delay(SETTLE_MS) }, ...works]) {
      const before = await delayCounts(installation);
      const began = performance.now();
      let failure = '';
      const waits = await neighbour.beside(() =>
        run().catch((error: unknown) => {
          failure = ` (it failed: ${error instanceof Error ? error.message : error})`;
        }),
      );
      const seconds = (performance.now() - began) / 1_000;
      const delays = longestBetween(before, await delayCounts(installation));
      const found = [
        atMost(
          `an acknowledgement beside ${name}${failure} (${seconds.toFixed(1)} s): longest`,
          waits.acknowledgedMs,
          'ms',
          MOST_MS,
        ),
        figure(`a now write beside it: longest; delays of event loops up to: ${delays} ms`, waits.nowWriteMs, 'ms'),
      ];
      for (const row of found) console.log(`  ${row.name}: ${row.value} ms`);
      rows.push(...found);
      await delay(SETTLE_MS);
    }
    return rows;
  } finally {
    modem.close();
    await pool.close();
  }
}

/** Counts how often each process had a delay of at most this many seconds, by service. */
type Counts = Readonly<Record<string, readonly (readonly [upTo: number, count: number])[]>>;

async function delayCounts(installation: Installation): Promise<Counts> {
  const found: Record<string, [upTo: number, count: number][]> = {};
  for (const port of await installation.healthPorts()) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const service = /service_name="([^"]+)"/.exec(text)?.[1] ?? String(port);
    const lines = text.matchAll(/^catchment_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)/gm);
    const counts = [...lines].map(([, upTo, count]): [number, number] => [
      Number(upTo?.replace('+Inf', 'Infinity')),
      Number(count),
    ]);
    // Services of one process show the same.
    if (counts.length > 0) found[service] = counts;
  }
  return found;
}

/** Returns the upper end of the longest delay between two questions, for each process. */
function longestBetween(before: Counts, after: Counts): string {
  return Object.entries(after)
    .map(([service, counts]) => {
      const delays = counts.map(([upTo, count], n) => [upTo, count - (before[service]?.[n]?.[1] ?? 0)] as const);
      const all = delays.at(-1)?.[1] ?? 0;
      const upTo = delays.find(([, count]) => count === all)?.[0] ?? Number.NaN;
      return `${service} ${upTo * 1_000}`;
    })
    .join(', ');
}
