import type { Acquisition } from '@catchment/contracts/ingest';
import type { LogEntry } from '@catchment/ingest-log';
import { isFaulty } from '../domain/conditions/acquisition.ts';

/** Acquisitions clear an alarm of these sources, so what clears it is looked at. */
export interface RaisedSources {
  has(sourceId: string): boolean;
  add(sourceId: string): void;
  /** An alarm was raised or cleared, here or by another replica. */
  hear(change: AlarmHeard): void;
  /** Changes may have been missed. */
  missed(): void;
}
export type AlarmHeard = { readonly nodeId: string; readonly alarmType: string; readonly alarmState: string };

/** Returns the acquisitions that may change an alarm of their source; of most messages there are none. */
export const acquisitionsToApply = (entries: readonly LogEntry[], raised: Pick<RaisedSources, 'has'>): Acquisition[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== 'acquisition' || !entry.acquisition.sourceId) return [];
    return isFaulty(entry.acquisition) || raised.has(entry.acquisition.sourceId) ? [entry.acquisition] : [];
  });
