import type { Caller } from '@catchment/access';
import type { FairQueue } from '@catchment/fair-queue';
import type { AnswerLimits } from '../domain/answer-budget.ts';
import type { Catalogue, QualityOf, RecordReader, RecordSummaries } from './ports.ts';

export type ReadDeps = {
  readonly catalogue: Pick<Catalogue, 'resolve' | 'resolveAll'>;
  readonly reader: RecordReader;
  readonly summaries: RecordSummaries;
  readonly qualityOf: QualityOf;
  readonly queue: FairQueue;
  readonly limits: AnswerLimits;
  readonly maxMs: number;
  readonly now: () => number;
};

export type ReadCall = { readonly caller: Caller; readonly token: string; readonly signal: AbortSignal };
