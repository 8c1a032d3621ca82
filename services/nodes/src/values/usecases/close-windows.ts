import type { StoreDeps } from '../../changes/index.ts';
import { placedInputs } from '../../shown/index.ts';
import { closeWindow } from '../domain/acquisition-window.ts';
import { acquisitionEvent, recordEvents } from './apply-batch.ts';
import type { TakeEndedWindows } from './ports.ts';

const BATCH = 500;

/** Writes the summed events of acquisition windows that have ended. Any replica may do it, at any time. */
export async function closeEndedWindows(
  takeEndedWindows: TakeEndedWindows,
  deps: Pick<StoreDeps, 'database' | 'now'>,
): Promise<void> {
  for (;;) {
    const taken = await deps.database.transaction(async (tx) => {
      const ended = await takeEndedWindows(tx, deps.now(), BATCH);
      const events = ended.flatMap(closeWindow).map(acquisitionEvent);
      await recordEvents(tx, events, await placedInputs(tx, [...new Set(events.map(({ nodeId }) => nodeId))]));
      return ended.length;
    });
    if (taken < BATCH) return;
  }
}
