import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { beginHandOver, endHandOver, handOverRatings } from './store/hand-over-ratings.ts';
import { handOverHandlers } from './transport/hand-over-handlers.ts';

/** A replica of the version before may note what is to be computed again. */
const HAND_OVER_EVERY_MS = 1_000;

/** Hands ratings of the version before over to processing, once that asks for them. */
export function openHandOver(database: Database, log: Logger) {
  let isDone = false;
  const job = repeat(
    async () => {
      if (await handOverRatings(database)) return true;
      if (!isDone) isDone = await endHandOver(database);
      return false;
    },
    { everyMs: HAND_OVER_EVERY_MS, failed: 'ratings could not be handed over, trying again', log },
  );
  return { handlers: handOverHandlers(() => beginHandOver(database)), stop: () => job.stop() };
}
