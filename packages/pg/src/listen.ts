import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';
import type { Database } from './database.ts';

const RETRY_MS = 1_000;

/**
 * Hears notifications that are sent in the database's schema, on a connection of its own, until stopped. Some may be missed while that
 * connection is lost: whoever listens also looks from time to time.
 * @returns ended once stopped
 */
export async function listen(
  database: Database,
  channel: string,
  { heard, stopping, log }: { heard: () => void; stopping: AbortSignal; log: Pick<Logger, 'debug'> },
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const client = await database.dedicated();
      try {
        const lost = new Promise<void>((resolve) => client.once('error', () => resolve()));
        client.on('notification', ({ payload }) => payload === database.schema && heard());
        await client.query(`LISTEN ${channel}`);
        await Promise.race([lost, aborted(stopping)]);
      } finally {
        client.removeAllListeners('notification');
        client.release(true);
      }
    } catch (err) {
      log.debug({ err, channel }, 'database notifications interrupted');
      await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
