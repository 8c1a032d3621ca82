import { DomainError } from '@catchment/errors';

/** Returns whether the store cannot write such an answer, or does not know the question. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof DomainError && (error.reason === 'INFLUX_ANSWER_CUT' || error.reason === 'INFLUX_REFUSED');
