import { type Caller, scopeOf } from '@catchment/access';
import type { FairQueue } from '@catchment/fair-queue';
import type { Requester } from '@catchment/node-replica';
import type { RecordSummaries } from '../../aggregates/index.ts';
import type { AnswerLimits } from '../../columns/index.ts';
import type { RecordOutlines } from '../../outlines/index.ts';
import type { SeriesPlace } from '../../progress/index.ts';
import type { RecordReader } from '../../records/index.ts';
import type { Catalogue, QualityOf } from '../../series/index.ts';

export type ReadDeps = {
  readonly catalogue: Pick<Catalogue, 'resolve' | 'resolveAll'>;
  readonly reader: RecordReader;
  readonly summaries: RecordSummaries;
  readonly outlines: RecordOutlines;
  readonly qualityOf: QualityOf;
  /** Returns the queue for answers of these series: each InfluxDB has another, so that no answer waits for the store of others. */
  readonly queueOf: (nodeIds: readonly string[]) => Promise<FairQueue>;
  /** Returns up to when records of these series are settled, by the time at which they were last written, Unix ms. */
  readonly settledUntil: (nodes: readonly SeriesPlace[], signal: AbortSignal) => Promise<number>;
  readonly limits: AnswerLimits;
  readonly maxMs: number;
  readonly now: () => number;
};

export type ReadCall = { readonly caller: Caller; readonly token: string; readonly signal: AbortSignal };

/** @param ownerId of a service's call @throws DomainError invalid_argument when a service names none */
export const requesterOf = ({ caller, token }: ReadCall, ownerId = ''): Requester => ({
  scope: scopeOf(caller, ownerId),
  isService: caller.kind === 'service',
  token,
});
