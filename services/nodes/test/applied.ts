import type { HistoricRecord } from '@catchment/contracts/historic';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { decodeApplied } from '../src/values/bus/decode-applied.ts';

export const T = Date.UTC(2024, 0, 1);

/** Returns announcements of stored records, as the bus carries them. */
export const decoded = (...batches: Partial<BatchApplied>[]) =>
  decodeApplied({
    subject: 'applied.0',
    data: AppliedGroup.encode(AppliedGroup.fromPartial({ batches })).finish(),
  });

export const number = (ms: number, value: number, quality?: number): HistoricRecord => ({
  timestampMs: ms,
  value: { $case: 'number', value },
  quality,
});
export const text = (ms: number, value: string): HistoricRecord => ({
  timestampMs: ms,
  value: { $case: 'text', value },
});

/** A write of one series. @param newest newest first */
export const written = (nodeId: string, ownerId: string, ...newest: HistoricRecord[]) => ({
  series: [{ nodeId, ownerId, modifiedMs: T + 1_000, newest: newest.slice(0, 2), oldest: newest.at(-1) }],
});
