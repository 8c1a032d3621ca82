import type { ApiCaller } from '@catchment/access';
import { DomainError, invalid, type ReasonOf } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../../domain/client-address.ts';
import type { FixedWindow, Usage } from '../../domain/fixed-window.ts';
import { isCsrfToken } from '../../domain/session.ts';
import type { Account, Authenticator } from '../../usecases/authenticator.ts';
import { rawQueryOf } from '../request/query.ts';
import { HttpProblem } from '../response/problem.ts';
import { isForeign, sessionTokenOf } from './session-cookie.ts';

/** The guard needs these settings of a route; `defineRoutes` sets them. */
export type RouteRule = {
  readonly kind: 'operation' | 'options' | 'method-not-allowed';
  /** `Allow` names the path's methods. */
  readonly allow: string;
  readonly isWrite: boolean;
  /** Only the API description needs none. */
  readonly needsKey: boolean;
  /** True where only keys of level ACCOUNT may call. */
  readonly needsAccountLevel: boolean;
  /** A slow answer is 413, not 503 (docs/reference/requests-and-errors.md#status-codes). */
  readonly isSlowTooLarge: boolean;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    rule?: RouteRule;
  }
}

type GuardDeps = {
  readonly authenticator: Authenticator;
  /** People who are signed in; asked where no key is sent. */
  readonly sessions: Authenticator;
  /** People open pages at this address. */
  readonly appUrl: string | undefined;
  /** The key is the client's address. */
  readonly failures: FixedWindow;
  /** The key is the API key or the person; undefined where the limit is off. */
  readonly requests: FixedWindow | undefined;
  readonly now: () => number;
};

/** Steps 2 to 7 in docs/reference/requests-and-errors.md#order-of-checks; step 1 lies before. */
export function createGuard(deps: GuardDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { rule } = request.routeOptions.config;
    const isOptions = request.method === 'OPTIONS';
    const session = request.headers['x-api-key'] === undefined ? sessionTokenOf(request, deps.appUrl) : undefined;
    const isOpen = isOptions || rule?.needsKey === false;
    const account = isOpen ? undefined : await authenticate(deps, request, reply, session);
    if (!rule) throw new HttpProblem(404, 'NOT_FOUND');
    if (rule.kind === 'method-not-allowed') {
      throw new HttpProblem(405, 'METHOD_NOT_ALLOWED', { headers: { allow: rule.allow } });
    }
    if (!account) return;
    if (rule.isWrite && session !== undefined && !isCsrfToken(session, request.headers['x-csrf-token'])) {
      throw new HttpProblem(403, 'CSRF_TOKEN_NEEDED', { message: 'X-CSRF-Token: must be the token of the session' });
    }
    request.call.caller = permitted(rule, account);
    request.call.pays(account.caller.ownerId);
    request.call.session = session;
    request.call.keyId = account.keyId;
    request.call.currentCaller = async (maxAgeMs) => {
      // The account stays that of the beginning, whichever one the person has chosen for the session meanwhile.
      const now = await accountBehind(deps, request, session, account.caller.ownerId, maxAgeMs);
      if (!now) throw unauthenticated();
      return permitted(rule, now);
    };
  };
}

/** Returns the caller, when it may do what the route does. @throws HttpProblem */
function permitted(rule: RouteRule, { caller, isDisabled }: Account): ApiCaller {
  if (rule.isWrite && caller.permission !== 'MODIFY') throw new HttpProblem(403, 'MODIFY_NEEDED');
  if (isDisabled) throw new HttpProblem(403, 'ACCOUNT_DISABLED');
  if (rule.needsAccountLevel && caller.accessLevel !== 'ACCOUNT') throw new HttpProblem(403, 'ACCOUNT_LEVEL_NEEDED');
  return caller;
}

/** Finds the account behind the request's key or session. */
function accountBehind(
  { authenticator, sessions }: GuardDeps,
  request: FastifyRequest,
  session: string | undefined,
  account: string,
  maxAgeMs?: number,
): Promise<Account | undefined> {
  const key = request.headers['x-api-key'];
  return session === undefined
    ? authenticator.accountOf(typeof key === 'string' ? key : undefined, maxAgeMs)
    : sessions.accountOf(session, maxAgeMs, account);
}

/**
 * Reads the account that a person's request names (docs/reference/authentication.md#sessions): by its header or, since browsers
 * send none for streams, pictures and links, by its argument. Empty = that of the session.
 * @throws DomainError invalid_argument
 */
function namedAccount(request: FastifyRequest): string {
  const header = request.headers['x-account'];
  const [name, given] =
    header === undefined
      ? ['account', new URLSearchParams(rawQueryOf(request.raw.url ?? '')).getAll('account').at(-1) ?? '']
      : ['X-Account', String(header)];
  const account = given.trim().toLowerCase();
  if (account !== '' && !isObjectId(account))
    throw invalid('INVALID_ARGUMENT', `${name}: must be the _id of an account`);
  return account;
}

const unauthenticated = (): HttpProblem => new HttpProblem(401, 'UNAUTHENTICATED');

async function authenticate(
  deps: GuardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string | undefined,
) {
  // A browser sends the session for any page that asks it to. Only our own pages may: others use keys.
  if (session !== undefined && isForeign(request))
    throw new HttpProblem(403, 'FOREIGN_PAGE', { message: 'Not permitted: a session is for pages of Catchment alone' });
  const named = session === undefined ? '' : namedAccount(request);
  const account = await accountBehind(deps, request, session, named).catch((error: unknown) => {
    // Else anybody who is signed in could have accounts looked up without end.
    if (error instanceof DomainError && error.kind === 'permission_denied') countFailure(deps, request, reply);
    throw error;
  });
  if (!account) {
    countFailure(deps, request, reply);
    throw unauthenticated();
  }
  if (deps.requests) {
    // All sessions of a person count together, in whatever account.
    const usage = deps.requests.take(session === undefined ? account.keyId : account.caller.userId);
    if (usage.isOver) throw tooMany(deps, usage, reply, 'TOO_MANY_REQUESTS');
    showUsage(reply, usage);
  }
  return account;
}

/** Counts a failure. Good calls are not limited: others behind the same address go on working with their good keys. @throws HttpProblem */
function countFailure(deps: GuardDeps, request: FastifyRequest, reply: FastifyReply): void {
  const usage = deps.failures.take(clientAddress(request.ip));
  if (usage.isOver) throw tooMany(deps, usage, reply, 'TOO_MANY_FAILED_AUTHENTICATIONS');
  if (deps.requests) showUsage(reply, usage);
}

function tooMany(
  deps: GuardDeps,
  usage: Usage,
  reply: FastifyReply,
  reason: ReasonOf<'resource_exhausted'>,
): HttpProblem {
  if (deps.requests) showUsage(reply, usage);
  const seconds = Math.max(1, Math.ceil((usage.resetMs - deps.now()) / 1000));
  return new HttpProblem(429, reason, { headers: { 'retry-after': String(seconds) } });
}

function showUsage(reply: FastifyReply, usage: Usage): void {
  reply
    .header('x-ratelimit-limit', usage.limit)
    .header('x-ratelimit-remaining', usage.remaining)
    .header('x-ratelimit-reset', Math.ceil(usage.resetMs / 1000));
}
