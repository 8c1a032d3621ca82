import { type Collect, type Column, type Sample, sampler } from '../../columns/index.ts';
import type { FetchPlan } from '../../records/index.ts';
import { keyOf, MIN_RECORD_MS } from '../../series/index.ts';

/**
 * Visits the samples of a plan, in its order.
 * @param take of a sample: false ends the scan, anything else goes on
 * @param goesOn asked after each record, also of those that are no samples
 */
export async function scanSamples(
  from: Collect,
  { node, view }: Column,
  plan: FetchPlan,
  take: (sample: Sample) => unknown,
  goesOn: (timeMs: number) => boolean = () => true,
): Promise<void> {
  const { excluded, quality } = from;
  const sampleOf = sampler(node, view.renderType, quality.typeOf);
  await from.reader.scan(keyOf(node), plan, from.signal, (record) => {
    const isExcluded = excluded.size > 0 && excluded.has(quality.typeOf(record.quality));
    const sample = isExcluded ? undefined : sampleOf(record);
    return (sample === undefined || take(sample) !== false) && goesOn(record.timeMs);
  });
}

/** Shows the newest good sample before a time, where there is one. */
export async function lastGoodBefore(
  from: Collect,
  column: Column,
  timeMs: number,
  see: (sample: Sample) => void,
): Promise<void> {
  if (timeMs <= MIN_RECORD_MS) return;
  const before = { fromMs: MIN_RECORD_MS, toMs: timeMs - 1, order: 'descending', limit: 1 } as const;
  await scanSamples(from, column, before, (sample) => {
    if (sample.isGood) see(sample);
    return !sample.isGood;
  });
}
