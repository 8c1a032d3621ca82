import { type BusMessage, decoded } from '@catchment/bus';
import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import type { HistoricRecord, Edges as StoredEdges } from '@catchment/contracts/historic';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { overload } from '../domain/acquisition-window.ts';
import type { AppliedBatch } from '../domain/applied-batch.ts';
import type { Edges, RawValue, SeriesRecord } from '../domain/series-value.ts';

type Content = Pick<BusMessage, 'subject' | 'data'>;

/** A message of stream APPLIED → domain. */
export const decodeApplied = (message: Content): AppliedBatch[] =>
  decoded(AppliedGroup, message).batches.map(toApplied);

function toApplied(batch: BatchApplied): AppliedBatch {
  return {
    logSequence: batch.logSequence,
    series: batch.series.map(({ nodeId, ownerId, modifiedMs, newest, oldest, recompute, edges }) => ({
      nodeId,
      ownerId,
      modifiedMs,
      recompute,
      ...(edges && { edges: toEdges(edges) }),
      written: { newest: newest.flatMap(toRecords), oldest: (oldest ? toRecords(oldest) : [])[0] ?? null },
    })),
    deleted: batch.seriesDeletes.map(({ nodeId, ownerId, timeMs, username, recomputing }) => ({
      nodeId,
      ownerId,
      timeMs,
      username,
      recomputing,
    })),
    failed: batch.columnFailures.map(({ nodeId, ownerId, timeMs, username, message }) => ({
      nodeId,
      ownerId,
      timeMs,
      username,
      message,
    })),
    overloads: batch.acquisitions.flatMap((one) =>
      one.dropped > 0 ? [overload(one.sourceId || one.nodeId, one.dropped, one)] : [],
    ),
    // A fault that was told is no acquisition: what the file did bring has entries of its own.
    acquisitions: batch.acquisitions
      .filter(({ fault }) => fault === '')
      .map(({ nodeId, isSource, rows, parameters, timeMs, username, origin }) => ({
        nodeId,
        isSource,
        rows,
        parameters,
        timeMs,
        username,
        origin,
      })),
  };
}

/** The records at the edges of a series as the store has them. */
export function toEdges({ newest, oldest }: StoredEdges): Edges {
  const [current = null, previous = null] = newest.flatMap(toRecords);
  return { current, previous, oldest: oldest ? (toRecords(oldest)[0] ?? null) : null };
}

/** The record, or nothing when it has no value. */
export function toRecords({ timestampMs, value, quality }: HistoricRecord): SeriesRecord[] {
  const raw = rawValue(value);
  return raw === undefined ? [] : [{ ms: timestampMs, value: raw, quality: quality ?? null }];
}

function rawValue(value: HistoricRecord['value']): RawValue | undefined {
  switch (value?.$case) {
    case 'number':
      return Number.isFinite(value.value) ? value.value : undefined;
    case 'text':
      return value.value;
    case 'timeMs':
      return { $millis: value.value };
    case 'coordinates':
      return [value.value.latitude, value.value.longitude];
    case undefined:
      return undefined;
  }
}

export type AlarmsMessage =
  | ({ readonly kind: 'state' } & StateChanged)
  | ({ readonly kind: 'alarm' } & AlarmChanged)
  | { readonly kind: 'other' };

/** A message of the alarms service by its subject. */
export function decodeAlarms(message: Content): AlarmsMessage {
  const { subject } = message;
  if (subject === 'alarms.state.changed.v1') return { kind: 'state', ...decoded(StateChanged, message) };
  if (subject === 'alarms.alarm.changed.v1') return { kind: 'alarm', ...decoded(AlarmChanged, message) };
  return { kind: 'other' };
}
