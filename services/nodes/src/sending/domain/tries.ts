const MINUTE_MS = 60_000;
/**
 * A message whose first try, made at once, has failed is tried again after these times
 * (docs/reference/notifications.md#recipients-and-content).
 */
const TRIED_AGAIN_MS = [5 * MINUTE_MS, 15 * MINUTE_MS] as const;

/**
 * Returns how long to wait until the next try; undefined = this was the last try. The age of the message decides, so a
 * process that ends in the middle of a try takes none away.
 */
export const untilNextTry = (ageMs: number): number | undefined => {
  const next = TRIED_AGAIN_MS.find((afterMs) => afterMs > ageMs);
  return next === undefined ? undefined : next - Math.max(0, ageMs);
};
