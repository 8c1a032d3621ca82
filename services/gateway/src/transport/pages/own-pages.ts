import { DomainError } from '@catchment/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerView } from '../../domain/caller-view.ts';
import type { FixedWindow } from '../../domain/fixed-window.ts';
import { pageOfPeople } from '../../domain/page-of-people.ts';
import { csrfTokenOf } from '../../domain/session.ts';
import type { Account, Authenticator } from '../../usecases/authenticator.ts';
import { sessionTokenOf } from '../auth/session-cookie.ts';
import { type QueryArguments, rawQueryOf } from '../request/query.ts';
import { HttpProblem } from '../response/problem.ts';
import {
  definePage,
  defineResource,
  type Opened,
  type PageRequest,
  type PageResourceDeps,
  type PageRoute,
  pageArguments,
  sendReport,
} from './page-resources.ts';

type OwnPageDeps = PageResourceDeps & {
  readonly sessions: Authenticator;
  readonly appUrl: string | undefined;
  /** Counts by session; undefined where the limit is off. */
  readonly requests: FixedWindow | undefined;
};

/** Rights that are older than this allow no read. */
const RIGHTS_MS = 900;

type OwnPage = {
  readonly url: '/dash/:id' | '/a/:account/n/:id';
  readonly kind: 'dash' | 'node';
};

/**
 * People who are signed in have these pages: dashboards, and any node, to which mails lead
 * (docs/reference/public-pages.md#pages-of-people-who-are-signed-in).
 */
const OWN_PAGES: readonly OwnPage[] = [
  { url: '/dash/:id', kind: 'dash' },
  { url: '/a/:account/n/:id', kind: 'node' },
];

export function addOwnPages(app: FastifyInstance, deps: OwnPageDeps): void {
  for (const page of OWN_PAGES) {
    const route: PageRoute = {
      url: page.url,
      open: (request, query) => openOwn(deps, page, request, query),
      mayBeEmbedded: false,
      instead: (request, reply, error) => toSignIn(page, request, reply, error),
    };
    definePage(app, deps, route);
    if (page.kind === 'node') defineResource(app, deps, { ...route, url: `${page.url}/report` }, '', ownReport(deps));
  }
}

/** A report as a PDF: mails with it lead there. */
const ownReport =
  (deps: OwnPageDeps) =>
  async (page: PageRequest): Promise<void> => {
    const { visit } = await page.open();
    // It says whether the account of the address has the node, and how that is called.
    const { view } = await deps.reader.view(visit, page.request.call.signal);
    await sendReport(deps, page, { visit, name: view.name }, ['nowTime', 'timezone', 'timezoneAdjustForDst']);
  };

type PageParams = { readonly id?: string; readonly account?: string };

const addressOf = ({ kind }: OwnPage, { id = '', account = '' }: PageParams): string =>
  kind === 'dash' ? `/dash/${encodeURIComponent(id)}` : `/a/${encodeURIComponent(account)}/n/${encodeURIComponent(id)}`;

async function openOwn(
  deps: OwnPageDeps,
  ownPage: OwnPage,
  request: FastifyRequest,
  query: QueryArguments,
): Promise<Opened> {
  const session = sessionTokenOf(request, deps.appUrl);
  const account = await accountOf(deps, session);
  if (deps.requests?.take(`session ${account.keyId}`).isOver)
    throw new HttpProblem(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': '60' } });
  const params = request.params as PageParams;
  const { id = '', account: accountSlug = '' } = params;
  const given = pageArguments(query);
  const rights = callerView(account.caller);
  return {
    visit: {
      page: { kind: ownPage.kind, nodeRef: id, arguments: given, accountSlug },
      basePath: addressOf(ownPage, params),
      caller: async () => {
        const { caller } = await accountOf(deps, session, RIGHTS_MS);
        // Viewers share what they see as long as they may see the same.
        if (callerView(caller) !== rights)
          throw new DomainError('permission_denied', 'NOT_PERMITTED', 'The rights have changed: open the page again');
        return caller;
      },
    },
    ownerId: account.caller.ownerId,
    key: JSON.stringify(['own', ownPage.kind, accountSlug, id, given, rights]),
    clientId: account.keyId,
    ...(session !== undefined && { csrf: csrfTokenOf(session) }),
  };
}

/** @throws DomainError unauthenticated, permission_denied */
async function accountOf({ sessions }: OwnPageDeps, session: string | undefined, maxAgeMs?: number): Promise<Account> {
  const account = await sessions.accountOf(session, maxAgeMs);
  if (!account) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  if (account.isDisabled) throw new DomainError('permission_denied', 'ACCOUNT_DISABLED', 'Not permitted');
  return account;
}

/** Sends a visitor who opens the page itself without a session to sign in first; the visitor comes back. */
function toSignIn(ownPage: OwnPage, request: FastifyRequest, reply: FastifyReply, error: unknown): boolean {
  const params = request.params as PageParams;
  const { url } = request.routeOptions;
  const isReport = url === `${ownPage.url}/report`;
  const isPage = (url === ownPage.url || isReport) && params.id !== undefined;
  if (!isPage || !(error instanceof DomainError) || error.reason !== 'SESSION_ENDED') return false;
  const query = rawQueryOf(request.raw.url ?? '');
  const address = addressOf(ownPage, params) + (isReport ? '/report' : '');
  // The address keeps its arguments, such as the part of a chart.
  const next = pageOfPeople(`${address}?${query}`) ?? address;
  reply
    .code(303)
    .header('location', `/auth/login?next=${encodeURIComponent(query === '' ? address : next)}`)
    .header('cache-control', 'no-store')
    .send();
  return true;
}
