import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Installation } from '../installation.ts';
import { ask, clientOf, type FloodKind, prepareFlood, type Question, questionOf } from '../loads/flood.ts';
import type { FloodData, SeededAccount } from '../loads/node-data.ts';
import { figure, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';

const KINDS = ['trees', 'lists', 'reads', 'charts'] as const satisfies readonly FloodKind[];
/** The account that floods has this many requests under way all the time. */
const FLOOD = 60;
/** The account that looks at its own tree meanwhile has this many nodes. */
const OWN_TREES = 1_000;
const OWN_LISTS = 300;
/** The p95 of the other account is compared with its own without the flood. */
const BAR = 3;
/** This is none of the kinds above: the cheapest request there is. */
const SINGLE = 'single nodes while trees are read';

/** Measures longer waits of one account while another one floods the same service. */
export async function measureFairness(installation: Installation, scale: number): Promise<Row[]> {
  const data = await prepareFlood(installation);
  const api = clientOf(installation, 2);
  const flooding = clientOf(installation, FLOOD);
  const times = Math.max(10, Math.ceil(40 * scale));
  const rows: Row[] = [];
  try {
    for (const kind of KINDS) {
      const usual = questionOf(kind, data.quiet, 'usual');
      rows.push(await fairness(kind, usual, { kind, api, flooding, data, times }));
    }
    const single: Question = { method: 'GET', path: '/users/me' };
    rows.push(await fairness(SINGLE, single, { kind: 'trees', api, flooding, data, times: 2 * times }));
    rows.push(...(await ownShortLists(installation, data.flooding, Math.max(20, times))));
    return rows;
  } finally {
    await Promise.all([api.close(), flooding.close()]);
  }
}

type Scene = {
  /** Requests of the flooding account. */
  readonly kind: FloodKind;
  readonly api: Pool;
  readonly flooding: Pool;
  readonly data: FloodData;
  readonly times: number;
};

async function fairness(name: string, question: Question, scene: Scene): Promise<Row> {
  const { api, data, times, kind } = scene;
  await p95Of(api, data.quiet, question, 3);
  const { p95Ms: idleMs } = await p95Of(api, data.quiet, question, times);
  const flood = startFlood(scene);
  await flood.underWay;
  const { p95Ms: loadedMs, refused } = await p95Of(api, data.quiet, question, times);
  const statuses = await flood.stop();
  const ratio = loadedMs / idleMs;
  if (refused > 0) console.log(`  ${name}: ${refused} of ${times} requests were refused`);
  console.log(
    `  ${name}: p95 ${idleMs.toFixed(0)} ms alone, ${loadedMs.toFixed(0)} ms beside ${FLOOD} ${kind} of another account, ratio ${ratio.toFixed(2)}; those were answered ${JSON.stringify(statuses)}`,
  );
  return {
    name: `${name}: p95 beside ${FLOOD} ${kind} of another account (alone ${Math.round(idleMs)} ms)`,
    value: Math.round(loadedMs),
    unit: 'ms',
    ratio: Math.round(ratio * 100) / 100,
    bar: BAR,
    holds: refused === 0 && ratio <= BAR,
  };
}

/** Waits of an account's own short lists beside its own trees and whole lists. */
async function ownShortLists(installation: Installation, account: SeededAccount, times: number): Promise<Row[]> {
  const api = clientOf(installation, 2);
  const question: Question = { method: 'GET', path: '/nodes?limit=20' };
  const took = async () => {
    const waits: number[] = [];
    const statuses: Record<number, number> = {};
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      const status = await ask(api, account, question);
      statuses[status] = (statuses[status] ?? 0) + 1;
      waits.push(performance.now() - began);
    }
    return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), refused: times - (statuses[200] ?? 0), statuses };
  };
  const alone = await took();
  const pools = [
    { kind: 'trees', pool: clientOf(installation, OWN_TREES) },
    { kind: 'lists', pool: clientOf(installation, OWN_LISTS) },
  ] as const;
  let isOver = false;
  const flood = pools.flatMap(({ kind, pool }) =>
    Array.from({ length: kind === 'trees' ? OWN_TREES : OWN_LISTS }, async () => {
      // Each connection sends one request after another: as many requests wait all the time.
      while (!isOver) await ask(pool, account, questionOf(kind, account, 'usual')).catch(() => 0);
    }),
  );
  try {
    await delay(5_000);
    const beside = await took();
    const what = `short lists of an account beside ${OWN_TREES} of its own trees and ${OWN_LISTS} of its lists`;
    console.log(
      `  ${what}: p50 ${beside.p50.toFixed(0)} ms, p99 ${beside.p99.toFixed(0)} ms (alone ${alone.p50.toFixed(0)}, ${alone.p99.toFixed(0)}), answered ${JSON.stringify(beside.statuses)}`,
    );
    return [figure(`${what}: p50`, beside.p50, 'ms'), figure(`${what}: p99`, beside.p99, 'ms')];
  } finally {
    isOver = true;
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
    await Promise.all(flood);
    await api.close();
  }
}

async function p95Of(pool: Pool, account: SeededAccount, question: Question, times: number) {
  const took: number[] = [];
  let refused = 0;
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    if ((await ask(pool, account, question)) !== 200) refused += 1;
    took.push(performance.now() - began);
  }
  return { p95Ms: quantile(took, 0.95), refused };
}

/** Asks the same question again and again, from all connections. */
function startFlood({ flooding, data, kind }: Scene) {
  const statuses: Record<number, number> = {};
  const answered = Promise.withResolvers<void>();
  let isOver = false;
  const question = questionOf(kind, data.flooding, 'usual');
  const connection = async () => {
    while (!isOver) {
      const status = await ask(flooding, data.flooding, question).catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
      answered.resolve();
    }
  };
  const all = Promise.all(Array.from({ length: FLOOD }, connection));
  return {
    underWay: answered.promise,
    stop: async () => {
      isOver = true;
      await all;
      return statuses;
    },
  };
}
