import { WEBHOOK } from '@catchment/query';

export const BATCH_BYTES = 256 * 1024;

/**
 * Returns the body of a delivery: the first events that fit, at least one.
 * @param events in order, each as JSON
 */
export function batchOf(events: readonly string[]): { readonly body: string; readonly count: number } {
  let bytes = 2;
  let count = 0;
  for (const event of events.slice(0, WEBHOOK.batchMax)) {
    bytes += Buffer.byteLength(event) + (count > 0 ? 1 : 0);
    if (count > 0 && bytes > BATCH_BYTES) break;
    count += 1;
  }
  return { body: `[${events.slice(0, count).join(',')}]`, count };
}
