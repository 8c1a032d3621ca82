export type Failure = {
  /** Sent where the error has no text of its own that may be shown. */
  readonly message: string;
  /** Description in OpenAPI. */
  readonly when: string;
  /** True where only some operations fail so. */
  readonly isRare?: true;
};

/**
 * Every status of a failure that is ever sent (docs/reference/requests-and-errors.md#status-codes,
 * docs/reference/requests-and-errors.md#error-body).
 */
export const FAILURES = {
  400: {
    message: 'Bad request',
    when: 'An argument, the body or its encoding breaks a rule; the message names it.',
  },
  401: {
    message: 'Unauthorized: authentication failed',
    when: 'The key is missing, malformed, unknown or revoked.',
  },
  403: {
    message: 'Not permitted',
    when: 'The key may not do this, or not in this workspace; or the account is disabled.',
  },
  404: { message: 'Requested resource not found', when: 'No such path, node or device in this account.' },
  405: {
    message: 'Method not allowed for requested resource',
    when: 'The path exists, the method does not; `Allow` lists those that do.',
  },
  412: {
    message: 'Precondition failed',
    when: 'It has another revision by now than `If-Match` names; `error.revision` is the present one.',
    isRare: true,
  },
  413: {
    message: 'Request or response too large',
    when: 'Body over 5 MiB, query string over 4096 bytes, or an answer that is too large or too slow.',
  },
  416: { message: 'Range not satisfiable', when: '`Range` begins beyond the end.', isRare: true },
  429: {
    message: 'Too many requests',
    when: 'Too many requests, or too many failed authentications from this address; see `Retry-After`.',
  },
  500: {
    message: 'Internal server error',
    when: 'Unexpected; the log has the details under the answer’s X-Request-Id.',
  },
  503: {
    message: 'Service temporarily unavailable',
    when: 'Starting, stopping, or a part of the platform is away; try again after `Retry-After` seconds.',
  },
} as const satisfies Record<number, Failure>;

export type FailureStatus = keyof typeof FAILURES;
