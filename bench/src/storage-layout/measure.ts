import { FIRST_MS, STEP_MS } from '../influx-floor.ts';

export const RUNS = 3;
export const BATCH = 5_000;
/** When the first batch of a load is taken to have been written; each batch has its own time. */
export const MODIFIED_MS = Date.UTC(2026, 10, 1);
export const FLAG = { value: 1, quality: 2 };

export const timeMs = (n: number): number => FIRST_MS + n * STEP_MS;

/** The field `p` of the layout: modified ms * 8 + bits. */
export const presence = (modifiedMs: number, bits: number): number => modifiedMs * 8 + bits;

export const nodeId = (series: number): string => series.toString(16).padStart(24, '5');

/** Lines 0 … count − 1 as request bodies of BATCH lines. */
export function bodiesOf(count: number, line: (n: number) => string): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < count; from += BATCH) {
    let body = '';
    for (let n = from; n < Math.min(from + BATCH, count); n += 1) body += line(n) + '\n';
    bodies.push(Buffer.from(body));
  }
  return bodies;
}

/** Seconds that `work` took. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The quickest of `times` runs after one that warms up, in ms. */
export async function bestMs(times: number, work: (n: number) => Promise<unknown>): Promise<number> {
  await work(0);
  let best = Number.POSITIVE_INFINITY;
  for (let n = 1; n <= times; n += 1) best = Math.min(best, (await seconds(() => work(n))) * 1000);
  return best;
}

/** The best of every variant; variants take turns, so that a busy moment of the machine hits all of them. */
export async function bestOf<V>(variants: readonly V[], run: (variant: V, round: number) => Promise<number>) {
  const best = new Map<V, number>();
  for (let round = 1; round <= RUNS; round += 1) {
    for (const variant of variants) {
      const result = await run(variant, round);
      best.set(variant, Math.min(best.get(variant) ?? Number.POSITIVE_INFINITY, result));
    }
  }
  return (variant: V): number => best.get(variant) ?? Number.NaN;
}
