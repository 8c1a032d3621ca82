import type { Logger } from 'pino';
import { counter } from './metrics/instruments.ts';
import { currentService } from './services.ts';

/** A store has not taken a write because it has no room, says nothing, or says something else. */
type RefusalReason = 'full' | 'silent' | 'other';

export type RefusedWrite = {
  readonly store: 'nats' | 'postgresql' | 'influxdb';
  /** Names the stream of NATS or the shard of InfluxDB; empty for PostgreSQL. */
  readonly part: string;
  readonly reason: RefusalReason;
  /** The store's text, as is. */
  readonly says: string;
};

/** A process remembers one for each service, store and part. */
type Remembered = RefusedWrite & {
  readonly service: string | undefined;
  /** The last refusal was at `lastMs`, the last line of the log about one at `loggedMs`, Unix ms. */
  readonly lastMs: number;
  readonly loggedMs: number;
  /** This many refusals came since that line. */
  readonly unlogged: number;
};

const refused = counter({
  name: 'catchment_writes_refused_total',
  help: 'Writes that a store refused: full, it has no room (its limit, or its disk); silent, it did not answer; other. The part is a stream of NATS or a shard of InfluxDB.',
  labels: ['store', 'part', 'reason'],
});

const LOG_EVERY_MS = 60_000;
/** Refusals within this time are reported to whoever asks. */
const RECENT_MS = 600_000;
/** More parts are counted, and neither logged nor remembered. */
const MAX_REMEMBERED = 200;
const MAX_TEXT = 300;

const remembered = new Map<string, Remembered>();

/** Counts a write that a store did not take, and says so in the log: at once, then once a minute for each part of a store. */
export function reportRefusedWrite(log: Pick<Logger, 'error'>, write: RefusedWrite, nowMs: number = Date.now()): void {
  const { store, part, reason } = write;
  refused.add({ store, part, reason });
  const service = currentService();
  const key = `${service ?? ''} ${store} ${part}`;
  const before = remembered.get(key);
  if (!before && remembered.size >= MAX_REMEMBERED) return;
  const says = write.says.slice(0, MAX_TEXT);
  const unlogged = (before?.unlogged ?? 0) + 1;
  const isDue = !before || nowMs - before.loggedMs >= LOG_EVERY_MS;
  if (isDue) log.error({ store, part, reason, says, writes: unlogged }, 'a store refuses writes');
  const loggedMs = isDue ? nowMs : before.loggedMs;
  remembered.set(key, { ...write, says, service, lastMs: nowMs, loggedMs, unlogged: isDue ? 0 : unlogged });
}

/** Returns what stores have refused in the last ten minutes: to a service of this process, and outside of every one. */
export const recentRefusals = (service: string, nowMs: number = Date.now()): RefusedWrite[] =>
  [...remembered.values()]
    .filter(
      (refusal) =>
        nowMs - refusal.lastMs <= RECENT_MS && (refusal.service === undefined || refusal.service === service),
    )
    .map(({ store, part, reason, says }) => ({ store, part, reason, says }));
