import { DomainError } from '@catchment/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerView } from '../../domain/caller-view.ts';
import type { FixedWindow } from '../../domain/fixed-window.ts';
import type { Account, Authenticator } from '../../usecases/authenticator.ts';
import { sessionTokenOf } from '../auth/session-cookie.ts';
import type { QueryArguments } from '../request/query.ts';
import { HttpProblem } from '../response/problem.ts';
import { definePage, type Opened, type PageResourceDeps, pageArguments } from './page-resources.ts';

export type OwnPageDeps = PageResourceDeps & {
  readonly sessions: Authenticator;
  readonly appUrl: string | undefined;
  /** By session; undefined = off. */
  readonly requests: FixedWindow | undefined;
};

/** Nothing is read with rights that are older. */
const RIGHTS_MS = 900;

/** Dashboards of people who are signed in (docs/reference/public-pages.md#dashboards-of-ones-own). */
export function addOwnPages(app: FastifyInstance, deps: OwnPageDeps): void {
  definePage(app, deps, {
    url: '/dash/:id',
    open: (request, query) => openOwn(deps, request, query),
    mayBeEmbedded: false,
    instead: toSignIn,
  });
}

async function openOwn(deps: OwnPageDeps, request: FastifyRequest, query: QueryArguments): Promise<Opened> {
  const session = sessionTokenOf(request, deps.appUrl);
  const account = await accountOf(deps, session);
  if (deps.requests?.take(`session ${account.keyId}`).isOver)
    throw new HttpProblem(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': '60' } });
  const { id = '' } = request.params as { id?: string };
  const given = pageArguments(query);
  const rights = callerView(account.caller);
  return {
    visit: {
      page: { kind: 'dash', nodeRef: id, arguments: given },
      basePath: `/dash/${encodeURIComponent(id)}`,
      caller: async () => {
        const { caller } = await accountOf(deps, session, RIGHTS_MS);
        // Viewers share what they see as long as they may see the same.
        if (callerView(caller) !== rights)
          throw new DomainError('permission_denied', 'NOT_PERMITTED', 'The rights have changed: open the page again');
        return caller;
      },
    },
    ownerId: account.caller.ownerId,
    key: JSON.stringify(['own', id, given, rights]),
    clientId: account.keyId,
  };
}

/** @throws DomainError unauthenticated, permission_denied */
async function accountOf({ sessions }: OwnPageDeps, session: string | undefined, maxAgeMs?: number): Promise<Account> {
  const account = await sessions.accountOf(session, maxAgeMs);
  if (!account) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  if (account.isDisabled) throw new DomainError('permission_denied', 'ACCOUNT_DISABLED', 'Not permitted');
  return account;
}

/** Who opens the page itself without being signed in signs in first, and comes back. */
function toSignIn(request: FastifyRequest, reply: FastifyReply, error: unknown): boolean {
  const { id } = request.params as { id?: string };
  const isPage = request.routeOptions.url === '/dash/:id' && id !== undefined;
  if (!isPage || !(error instanceof DomainError) || error.reason !== 'SESSION_ENDED') return false;
  const next = encodeURIComponent(`/dash/${encodeURIComponent(id)}`);
  reply.code(303).header('location', `/auth/login?next=${next}`).header('cache-control', 'no-store').send();
  return true;
}
