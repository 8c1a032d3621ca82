import type { BusMessage } from '@catchment/bus';
import { histogram } from '@catchment/telemetry';

const lag = histogram({
  name: 'catchment_visible_lag_seconds',
  help: 'Time from the append of a message to the log until its records can be read.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800],
});

/** Observes the lag of messages whose records can be read from now on. */
export function observeVisible(messages: readonly Pick<BusMessage, 'timeMs'>[], nowMs: number): void {
  for (const { timeMs } of messages) lag.observe({}, Math.max(0, nowMs - timeMs) / 1_000);
}
