import { setTimeout as delay } from 'node:timers/promises';
import { Bus } from '@catchment/bus';
import { createLogger } from '@catchment/telemetry';
import type { Installation } from '../installation.ts';

const LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 20;

export function openBus({ servers }: Installation): Promise<Bus> {
  const partitions = Number(process.env.INGEST_PARTITIONS ?? 1);
  return Bus.open({
    url: servers.nats.url,
    name: 'bench',
    partitions,
    log: createLogger('bench', { level: 'silent' }),
  });
}

/** Waits until no reader of what was written is behind. */
export async function untilRead(bus: Bus): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (await isBehind(bus)) {
    if (performance.now() > deadline)
      throw new Error(`the readers of the log did not catch up within ${LIMIT_MS / 1000} s`);
    await delay(LOOK_EVERY_MS);
  }
}

async function isBehind(bus: Bus): Promise<boolean> {
  const lags = { ...(await bus.lag('INGEST')), ...(await bus.lag('APPLIED')) };
  return Object.values(lags).some((lag) => lag > 0);
}
