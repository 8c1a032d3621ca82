import type { FastifySchema } from 'fastify';
import type { Answer, ApiCall } from './api-call.ts';

/** A route does this once a request has passed all checks. */
export type Operation = {
  readonly schema: FastifySchema;
  readonly answer: (call: ApiCall) => Promise<Answer>;
  /** Kind of the body; absent = a body is checked and ignored. */
  readonly body?: 'json' | 'optional-json' | 'opaque' | 'csv' | 'multipart' | 'file';
  readonly isSlowTooLarge?: boolean;
  /** True where only keys of level ACCOUNT may call (docs/reference/authentication.md#access-levels). */
  readonly needsAccountLevel?: boolean;
  /** Its answer is a stream that takes longer than one call. */
  readonly isLong?: boolean;
  /**
   * Requests with a key (docs/reference/requests-and-errors.md#repeated-requests), a try of which has no answer. `once`: whoever carries it
   * out knows by its transaction whether it has been; `again`: that does no harm. Absent: POST nobody knows, others again.
   */
  readonly keyed?: 'once' | 'again';
};
