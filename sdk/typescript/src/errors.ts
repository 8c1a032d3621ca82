/** The server refused this, or this did not reach it. `kind` says what a caller can do about it. */
export type ErrorKind =
  /** An argument breaks a rule: change it. */
  | 'argument'
  /** The key is wrong, was revoked, or is another installation's. */
  | 'authentication'
  | 'permission'
  | 'not_found'
  /** Somebody else has changed the node since: its `revision` is another one. */
  | 'changed'
  /** Ask for less at once. */
  | 'too_large'
  /** Wait for `retryAfter` seconds. */
  | 'rate_limited'
  | 'unavailable'
  | 'server'
  /** No whole answer came: the network, a time limit, a connection that broke. */
  | 'transport'
  /** Something answered that is not Catchment: a proxy's page, a redirect. */
  | 'unexpected'
  /** The server is older than this. */
  | 'unsupported'
  /** Some parts of a write are stored, the next one failed (`cause`). */
  | 'partial_write';

const HINTS: Partial<Record<ErrorKind, string>> = {
  authentication: 'check the key and the address',
  permission: 'take a key with more permission or access',
  not_found: "check the id or @customId, and that the key's account has it",
  changed: 'read the node again, then change it',
  too_large: 'ask for less at once: a shorter range, fewer nodes, an aggregate',
  rate_limited: 'wait for retryAfter seconds',
  unavailable: 'try again later',
};

const KINDS: Readonly<Record<number, ErrorKind>> = {
  400: 'argument',
  401: 'authentication',
  403: 'permission',
  404: 'not_found',
  412: 'changed',
  413: 'too_large',
  429: 'rate_limited',
  503: 'unavailable',
};

export type ErrorFacts = {
  readonly kind: ErrorKind;
  readonly status?: number | undefined;
  /** The server's stable word. */
  readonly reason?: string | undefined;
  /** A 400 names this argument or attribute. */
  readonly argument?: string | undefined;
  /** Kind `changed` has the node's revision now. */
  readonly revision?: number | undefined;
  /** The server's log has the details under this id. */
  readonly requestId?: string | undefined;
  /** The server asked to wait this many seconds. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
};

/** Everything that the client throws. */
export class CatchmentError extends Error implements ErrorFacts {
  override readonly name = 'CatchmentError';
  declare readonly kind: ErrorKind;
  declare readonly status: number | undefined;
  declare readonly reason: string | undefined;
  declare readonly argument: string | undefined;
  declare readonly revision: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly retryAfter: number | undefined;

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    const details = [facts.status, facts.reason, facts.requestId && `request ${facts.requestId}`]
      .filter(Boolean)
      .join(', ');
    const hint = HINTS[facts.kind];
    super(
      `${message}${details && ` (${details})`}${hint ? `: ${hint}` : ''}`,
      cause === undefined ? undefined : { cause },
    );
    Object.assign(this, facts);
  }
}

export const argumentError = (argument: string, rule: string): CatchmentError =>
  new CatchmentError(`${argument}: ${rule}`, { kind: 'argument', argument });

/** Returns the error that an answer means. Its body is read. */
export async function errorOf(response: Response, retryAfter: number | undefined): Promise<CatchmentError> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const error = await response.json().then(
    (body) => (body as { error?: { message?: unknown; reason?: string; revision?: number } } | null)?.error,
    () => undefined,
  );
  if (typeof error?.message !== 'string') {
    const media = response.headers.get('content-type')?.split(';')[0] ?? 'nothing';
    return new CatchmentError(
      `url: something that is not Catchment answered ${status || 'a redirect'} with ${media}: check the address, and any proxy between here and the server`,
      { kind: 'unexpected', status },
    );
  }
  const { message, reason, revision } = error;
  const argument = status === 400 ? /^([\w.$[\]-]+)(?:: | must )/.exec(message)?.[1] : undefined;
  return new CatchmentError(message, {
    kind: KINDS[status] ?? 'server',
    status,
    reason,
    argument,
    revision,
    requestId,
    retryAfter,
  });
}
