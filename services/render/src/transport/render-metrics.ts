import { toDomainError } from '@catchment/errors';
import { counter } from '@catchment/telemetry';

const KINDS = ['chart', 'report', 'preview'] as const;
type Kind = (typeof KINDS)[number];
const OUTCOMES = ['ok', 'failed', 'refused'] as const;
type Outcome = (typeof OUTCOMES)[number];

const renders = counter({
  name: 'catchment_renders_total',
  help: 'Pictures and documents: ok; failed, by a fault of Catchment; refused, because of the request or because too many wait.',
  labels: ['kind', 'outcome'],
  known: KINDS.flatMap((kind) => OUTCOMES.map((outcome) => ({ kind, outcome }))),
});

/** Sorts errors, without those of queues and of peers that are away: these have separate alerts. */
function outcomeOf(error: unknown): Outcome {
  const { kind, reason } = toDomainError(error);
  return ['internal', 'deadline_exceeded'].includes(kind) || reason === 'PRINTING_FAILED' ? 'failed' : 'refused';
}

/** Counts one picture or document by its end; one whose reader leaves before is not counted. */
export async function* countedPieces<T>(kind: Kind, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    renders.add({ kind, outcome: outcomeOf(error) });
    throw error;
  }
  renders.add({ kind, outcome: 'ok' });
}

export async function counted<T>(kind: Kind, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    renders.add({ kind, outcome: 'ok' });
    return result;
  } catch (error) {
    renders.add({ kind, outcome: outcomeOf(error) });
    throw error;
  }
}
