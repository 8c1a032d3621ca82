import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from '../installation.ts';
import { ask, clientOf, FLOOD_KINDS, type FloodKind, prepareFlood, questionOf } from '../loads/flood.ts';
import type { FloodData } from '../loads/node-data.ts';
import type { Row } from '../report.ts';
import { memoryOf, SERVICES } from '../watch/memory.ts';
import { podLimits } from '../watch/pod-limits.ts';

const MIB = 1024 * 1024;
const AT_ONCE = 1_000;
const BAR = 0.8;
const SAMPLE_EVERY_MS = 200;
/** Idle threads and freed memory go after a minute. */
const SETTLED_AFTER_MS = 75_000;

type Memory = { readonly rss: number; readonly pss: number };
type Peaks = Record<string, Memory>;

/** Measures the memory of the services during a thousand simultaneous requests of each kind, beside the limits of their pods. */
export async function measureMemory(installation: Installation, scale: number): Promise<Row[]> {
  const data = await prepareFlood(installation);
  const limits = await podLimits(SERVICES);
  const pids = await installation.pids();
  const count = Math.max(20, Math.ceil(AT_ONCE * scale));
  const phases: { name: string; peaks: Peaks }[] = [{ name: 'idle', peaks: await watched(pids, () => delay(1_000)) }];
  for (const kind of FLOOD_KINDS) {
    let statuses: Record<number, number> = {};
    const peaks = await watched(pids, async () => {
      statuses = await flood(installation, data, kind, count);
    });
    console.log(`  ${count} ${kind} at once: ${JSON.stringify(statuses)}; ${shown(peaks)}`);
    phases.push({ name: kind, peaks });
  }
  await delay(SETTLED_AFTER_MS);
  phases.push({ name: 'afterwards', peaks: await watched(pids, () => delay(1_000)) });
  console.log(`\n${memoryMarkdown(phases, limits, count)}`);
  return SERVICES.map((service) => {
    const peak = Math.max(...phases.map(({ peaks }) => peaks[service]?.rss ?? 0));
    const limit = limits[service] ?? Number.NaN;
    const ratio = Math.round((peak / limit) * 100) / 100;
    return {
      name: `peak RSS of ${service} under ${count} parallel trees, clones, lists, reads, charts (pod: ${limit} MiB)`,
      value: peak,
      unit: 'MiB',
      ratio,
      bar: BAR,
      holds: peak <= BAR * limit,
    };
  });
}

/** All are sent at once, of two accounts; every one is waited for. @returns how many answers of each status */
async function flood(installation: Installation, data: FloodData, kind: FloodKind, count: number) {
  const pool = clientOf(installation, count);
  const statuses: Record<number, number> = {};
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const account = n % 4 === 3 ? data.quiet : data.flooding;
      const status = await ask(pool, account, questionOf(kind, account, 'large', n)).catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  await pool.close();
  return statuses;
}

async function watched(pids: Readonly<Record<string, number>>, work: () => Promise<unknown>): Promise<Peaks> {
  const peaks: Peaks = {};
  const look = async () => {
    for (const service of SERVICES) {
      const bytes = await memoryOf(pids[service] ?? 0);
      const [rss, pss] = [Math.round(bytes.rss / MIB), Math.round(bytes.pss / MIB)];
      const before = peaks[service] ?? { rss: 0, pss: 0 };
      peaks[service] = { rss: Math.max(before.rss, rss), pss: Math.max(before.pss, pss) };
    }
  };
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(SAMPLE_EVERY_MS)) await look();
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return peaks;
}

const shown = (peaks: Peaks): string =>
  Object.entries(peaks)
    .map(([name, { rss }]) => `${name} ${rss}`)
    .join(', ');

function memoryMarkdown(
  phases: readonly { readonly name: string; readonly peaks: Peaks }[],
  limits: Readonly<Record<string, number>>,
  count: number,
): string {
  const head = ['service', ...phases.map(({ name }) => name), 'highest', "pod's limit", 'share'];
  const lines = SERVICES.map((service) => {
    const all = phases.map(({ peaks }) => peaks[service] ?? { rss: 0, pss: 0 });
    const highest = Math.max(...all.map(({ rss }) => rss));
    const limit = limits[service] ?? Number.NaN;
    const cells = all.map(({ rss, pss }) => `${rss} (${pss})`);
    return [service, ...cells, highest, limit, `${Math.round((highest / limit) * 100)} %`];
  });
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    `Peak RSS (PSS) in MiB under ${count} requests at once:`,
    '',
    row(head),
    row(head.map(() => '---')),
    ...lines.map(row),
  ].join('\n');
}
