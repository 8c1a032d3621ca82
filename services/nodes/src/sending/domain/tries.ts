const MINUTE_MS = 60_000;
/** After the first try, at once, when a message is tried again (docs/reference/notifications.md#recipients-and-content). */
const TRIED_AGAIN_MS = [5 * MINUTE_MS, 15 * MINUTE_MS] as const;

/**
 * Returns how long to wait until the next try; undefined = this was the last try. The age of the message decides, so a
 * process that ends in the middle of a try takes none away.
 */
export const untilNextTry = (ageMs: number): number | undefined => {
  const next = TRIED_AGAIN_MS.find((afterMs) => afterMs > ageMs);
  return next === undefined ? undefined : next - Math.max(0, ageMs);
};
