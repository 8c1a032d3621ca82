/** Messages to a person in an hour of the clock (docs/reference/notifications.md#recipients-and-content). */
export const HOURLY_LIMIT = { email: 100, sms: 20 } as const;

const HOUR_MS = 3_600_000;
export const hourOf = (nowMs: number): number => Math.floor(nowMs / HOUR_MS) * HOUR_MS;
export const nextHourOf = (nowMs: number): number => hourOf(nowMs) + HOUR_MS;

/**
 * Returns how many of a person's messages may be sent.
 * @param counted all of the hour, these included
 * @returns `isFirst`: these are the first that are held back in the hour
 */
export function withinLimit(limit: number, counted: number, wanted: number): { sent: number; isFirst: boolean } {
  const before = counted - wanted;
  return { sent: Math.max(0, Math.min(wanted, limit - before)), isFirst: before <= limit && counted > limit };
}
