import type { ErrorKind } from '@catchment/errors';

const REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'invalid_argument',
  'out_of_range',
  'failed_precondition',
  'too_large',
  'already_exists',
  'unimplemented',
]);
/** These failures concern the document alone: others of the source may pass. */
const OF_THE_DOCUMENT: ReadonlySet<ErrorKind> = new Set([...REFUSALS, 'internal']);

/** A document that fails this often for a reason of ours is refused, so that it does not hold up the rest for ever. */
export const MAX_INTERNAL_FAILURES = 5;

/** Returns whether what was to be written can never be taken. */
export const isRefusal = (kind: ErrorKind): boolean => REFUSALS.has(kind);

/** Returns whether another document of the same source may pass at the same moment. */
export const concernsDocument = (kind: ErrorKind): boolean => OF_THE_DOCUMENT.has(kind);
