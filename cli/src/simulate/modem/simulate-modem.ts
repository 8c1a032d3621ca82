import { setTimeout as sleep } from 'node:timers/promises';
import { countOf } from '@catchment/number-format';
import { backoffMs } from '../station/backoff.ts';
import type { ModemCounts } from './modem-counts.ts';
import { SimulatedModem, type SimulateModemOptions } from './simulated-modem.ts';

const BACKOFF_MS = { first: 1_000, longest: 60_000 };

/**
 * Runs a modem that keeps docs/modem-protocol.md until its reports are answered or `signal` aborts. Never rejects because of the server.
 */
export async function simulateModem(options: SimulateModemOptions): Promise<ModemCounts> {
  const modem = new SimulatedModem(options);
  const { log, connectAfterMs = 0 } = options;
  const { signal } = modem;
  const measuring = modem.measure();
  await sleep(connectAfterMs, undefined, { signal }).catch(() => {});
  for (let failures = 0; !signal.aborted; ) {
    const wasWelcome = await modem.connectOnce().catch((error: Error) => {
      if (!signal.aborted) log(`no connection: ${error.message}`);
      return false;
    });
    if (signal.aborted) break;
    failures = wasWelcome ? 0 : failures + 1;
    const delayMs = backoffMs(failures, BACKOFF_MS);
    log(`connecting again in ${(delayMs / 1_000).toFixed(1)} s, ${countOf(modem.queued, 'report')} kept`);
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
  await measuring;
  modem.close();
  log('stopped');
  return modem.counts;
}
