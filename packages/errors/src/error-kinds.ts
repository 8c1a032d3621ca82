export const ERROR_KINDS = [
  'invalid_argument',
  'out_of_range',
  'failed_precondition',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'already_exists',
  'conflict',
  'changed',
  'resource_exhausted',
  'too_large',
  'cancelled',
  'unimplemented',
  'unavailable',
  'deadline_exceeded',
  'internal',
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];
