import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { Store } from './ports.ts';

const EVERY_MS = 60_000;

/** Forgets frames that no network hands over again, as long as the process runs. */
export const sweepUplinks = (deps: { readonly store: Pick<Store, 'sweepUplinks'>; readonly log: Logger }): Repeated =>
  repeat(() => deps.store.sweepUplinks(), { everyMs: EVERY_MS, failed: 'uplinks could not be swept', log: deps.log });
