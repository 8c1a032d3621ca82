import type { ApiCaller } from '@catchment/access';
import type { ReasonOf } from '@catchment/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../../domain/client-address.ts';
import type { FixedWindow, Usage } from '../../domain/fixed-window.ts';
import { isCsrfToken } from '../../domain/session.ts';
import type { Account, Authenticator } from '../../usecases/authenticator.ts';
import { HttpProblem } from '../response/problem.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** The settings of a route that the guard needs; set by `defineRoutes`. */
export type RouteRule = {
  readonly kind: 'operation' | 'options' | 'method-not-allowed';
  /** The methods of the path, for `Allow`. */
  readonly allow: string;
  readonly isWrite: boolean;
  /** False for the API description only. */
  readonly needsKey: boolean;
  /** Only for keys of level ACCOUNT. */
  readonly needsAccountLevel: boolean;
  /** A slow answer is 413, not 503 (docs/reference/requests-and-errors.md#status-codes). */
  readonly isSlowTooLarge: boolean;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    rule?: RouteRule;
  }
}

export type GuardDeps = {
  readonly authenticator: Authenticator;
  /** People who are signed in; asked where no key is sent. */
  readonly sessions: Authenticator;
  /** Where people open pages. */
  readonly appUrl: string | undefined;
  /** By client address. */
  readonly failures: FixedWindow;
  /** By key; undefined = off. */
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
      const now = await accountBehind(deps, request, session, maxAgeMs);
      if (!now) throw unauthenticated();
      return permitted(rule, now);
    };
  };
}

/** The caller, when it may do what the route does. @throws HttpProblem */
function permitted(rule: RouteRule, { caller, isDisabled }: Account): ApiCaller {
  if (rule.isWrite && caller.permission !== 'MODIFY') throw new HttpProblem(403, 'MODIFY_NEEDED');
  if (isDisabled) throw new HttpProblem(403, 'ACCOUNT_DISABLED');
  if (rule.needsAccountLevel && caller.accessLevel !== 'ACCOUNT') throw new HttpProblem(403, 'ACCOUNT_LEVEL_NEEDED');
  return caller;
}

/** The account behind the request's key or session. */
function accountBehind(
  { authenticator, sessions }: GuardDeps,
  request: FastifyRequest,
  session: string | undefined,
  maxAgeMs?: number,
): Promise<Account | undefined> {
  const key = request.headers['x-api-key'];
  return session === undefined
    ? authenticator.accountOf(typeof key === 'string' ? key : undefined, maxAgeMs)
    : sessions.accountOf(session, maxAgeMs);
}

const unauthenticated = (): HttpProblem => new HttpProblem(401, 'UNAUTHENTICATED');

async function authenticate(
  deps: GuardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string | undefined,
) {
  const account = await accountBehind(deps, request, session);
  if (!account) {
    // Only failures are limited: others behind the same address go on working with their good keys.
    const usage = deps.failures.take(clientAddress(request.ip));
    if (usage.isOver) throw tooMany(deps, usage, reply, 'TOO_MANY_FAILED_AUTHENTICATIONS');
    if (deps.requests) showUsage(reply, usage);
    throw unauthenticated();
  }
  if (deps.requests) {
    const usage = deps.requests.take(account.keyId);
    if (usage.isOver) throw tooMany(deps, usage, reply, 'TOO_MANY_REQUESTS');
    showUsage(reply, usage);
  }
  return account;
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
