import type { Queryable } from '@catchment/pg';
import type { ChannelName } from '../domain/channel-name.ts';

const DAY_MS = 86_400_000;

/** Domain events are kept for a week. */
const EVENTS_KEPT_MS = 8 * DAY_MS;

const HOURS_KEPT_MS = DAY_MS;

const MONTHS_KEPT_MS = 400 * DAY_MS;

export async function takeEvents(
  tx: Queryable,
  eventIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ event_id: string }>(
    `INSERT INTO notified_events (event_id, taken_ms) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING RETURNING event_id`,
    [[...eventIds].sort(), nowMs],
    'take-events',
  );
  return new Set(rows.map((row) => row.event_id));
}

/**
 * Counts messages to people in an hour.
 * @param counts by user id
 * @returns what has been counted for each in this hour, these included
 */
export async function countMessages(
  tx: Queryable,
  channel: ChannelName,
  hourMs: number,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const userIds = [...counts.keys()].sort();
  const { rows } = await tx.query<{ user_id: string; count: number }>(
    `INSERT INTO notification_counts AS c (user_id, channel, hour_ms, count)
     SELECT user_id, $1, $2, count FROM unnest($3::text[], $4::int[]) AS u (user_id, count)
     ON CONFLICT (user_id, channel, hour_ms) DO UPDATE SET count = c.count + EXCLUDED.count RETURNING user_id, count`,
    [channel, hourMs, userIds, userIds.map((userId) => counts.get(userId))],
    'count-messages',
  );
  return new Map(rows.map(({ user_id, count }) => [user_id, count]));
}

/** Forgets events that the broker repeats no more, hours that are over, and months that are long over. */
export async function forgetSent(on: Queryable, nowMs: number): Promise<void> {
  await on.query('DELETE FROM notified_events WHERE taken_ms < $1', [nowMs - EVENTS_KEPT_MS], 'forget-events');
  await on.query('DELETE FROM notification_counts WHERE hour_ms < $1', [nowMs - HOURS_KEPT_MS], 'forget-hours');
  await on.query('DELETE FROM sms_usage WHERE month_ms < $1', [nowMs - MONTHS_KEPT_MS], 'forget-months');
}
