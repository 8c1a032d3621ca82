import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '@catchment/contracts/people';
import { LISTENER_NAMES, LISTENERS } from '@catchment/contracts/transports';
import { CONSOLE_ATTRIBUTES, type ConsoleStart } from '@catchment/dashboard-view';
import { DomainError, notFound } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languagesOf } from '../../domain/page-language.ts';
import { pageOfPeople } from '../../domain/page-of-people.ts';
import { csrfTokenOf, sessionHash } from '../../domain/session.ts';
import type { Authenticator } from '../../usecases/authenticator.ts';
import type { FrontEnd } from '../../usecases/pages/front-end.ts';
import type { Peers } from '../../usecases/ports.ts';
import type { Push } from '../../usecases/push/open-push.ts';
import { sessionTokenOf } from '../auth/session-cookie.ts';
import { rawQueryOf } from '../request/query.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendBytes } from '../response/send.ts';
import { consoleShell } from './console-shell.ts';
import { defineResource, type PageResourceDeps } from './page-resources.ts';
import { shellPolicy } from './page-shell.ts';

export type ConsoleDeps = Pick<PageResourceDeps, 'log' | 'mapTiles'> & {
  readonly people: Peers['people'];
  readonly sessions: Authenticator;
  readonly push: Pick<Push, 'nodes' | 'events'>;
  readonly signer: CallerSigner;
  readonly frontEnd: FrontEnd | undefined;
  readonly appUrl: string | undefined;
  readonly classNamespace: string;
  readonly uploadUrl: string | undefined;
  readonly deviceAddresses: ConsoleStart['deviceAddresses'];
  /** The page does not wait longer for the places of its streams; default 500. */
  readonly placesMs?: number | undefined;
};

const DEVICE_PORTS = Object.fromEntries(LISTENER_NAMES.map((name) => [name, LISTENERS[name].port]));
const CALL_MS = 15_000;
const PLACES_MS = 500;

/** Serves the console: one page for all addresses below `/a/<account>`, whose script shows what the address says (web/README.md). */
export function addConsolePages(app: FastifyInstance, deps: ConsoleDeps): void {
  const pages: Readonly<Record<string, (request: FastifyRequest, reply: FastifyReply) => Promise<void>>> = {
    '/a': (request, reply) => goHome(deps, request, reply),
    '/a/:account': (request, reply) => sendConsole(deps, request, reply),
    '/a/:account/*': (request, reply) => sendConsole(deps, request, reply),
  };
  for (const [url, work] of Object.entries(pages))
    defineResource(
      app,
      deps,
      { url, open: () => Promise.reject(notFound()), instead: toSignIn },
      '',
      ({ request, reply }) => work(request, reply),
    );
}

type Account = Person['accounts'][number];

/**
 * Returns where a signed-in person goes on: the overview of the account that was worked in last, or the person's page.
 */
const homeOf = ({ accounts, ownerId }: Person): string => {
  const account = accounts.find((account) => account.ownerId === ownerId) ?? accounts[0];
  return account === undefined ? '/account' : `/a/${account.slug}/overview`;
};

async function goHome(deps: ConsoleDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { person } = await signedIn(deps, request);
  // The page that needs no script is shown where the console is missing.
  const isBuilt = (await deps.frontEnd?.entry('console')) !== undefined;
  reply
    .code(303)
    .header('location', isBuilt ? homeOf(person) : '/account')
    .header('cache-control', 'no-store')
    .send();
}

async function sendConsole(deps: ConsoleDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { session, person } = await signedIn(deps, request);
  const { account: slug = '', '*': rest } = request.params as { account?: string; '*'?: string };
  const account = person.accounts.find((account) => account.slug === slug.toLowerCase());
  if (account === undefined) throw notFound();
  if (rest === undefined || rest === '') {
    reply.code(303).header('location', `/a/${account.slug}/overview`).header('cache-control', 'no-store').send();
    return;
  }
  const [name = ''] = rest.split('/', 1);
  const entry = await deps.frontEnd?.entry('console', {
    name,
    languages: languagesOf(request.headers['accept-language']),
  });
  if (!entry) throw new HttpProblem(503, 'FRONT_END_MISSING');
  await workIn(deps, request, { session, person, account });
  const streams = await streamPositions(deps, session, account);
  const text = consoleShell({ start: startOf(deps, session, { person, account, streams }), ...entry });
  reply.header('content-security-policy', shellPolicy(deps.mapTiles?.url, false));
  await sendBytes(request, reply, {
    status: 200,
    bytes: Buffer.from(text),
    contentType: 'text/html; charset=utf-8',
    caching: 'no-store',
  });
}

/** Pages that name no account, such as a dashboard and the profile, are of the one whose console was opened last. */
async function workIn(
  { people, sessions, signer }: ConsoleDeps,
  request: FastifyRequest,
  { session, person, account }: { session: string; person: Person; account: Account },
): Promise<void> {
  if (person.ownerId === account.ownerId || request.method === 'HEAD') return;
  const token = await signer.sign({ kind: 'service', service: 'gateway' });
  const options = { token, signal: request.call.signal, timeoutMs: CALL_MS };
  await people.chooseAccount({ sessionSha256: sessionHash(session), ownerId: account.ownerId }, options);
  sessions.forget(session);
}

const UNKNOWN_PLACES: ConsoleStart['streams'] = { nodes: '', events: '' };

/**
 * Returns where the streams are now. A page that cannot know it reads again what it has once its streams have begun.
 */
async function streamPositions(
  { push, sessions, log, placesMs = PLACES_MS }: ConsoleDeps,
  session: string,
  { ownerId }: Account,
): Promise<ConsoleStart['streams']> {
  const read = async () => {
    const found = await sessions.accountOf(session, Number.POSITIVE_INFINITY, ownerId);
    if (found === undefined || found.isDisabled) return UNKNOWN_PLACES;
    const [nodes, events] = await Promise.all([
      push.nodes.open(found.caller, { attr: CONSOLE_ATTRIBUTES, filter: '' }, ''),
      push.events.open(found.caller, { attr: '', filter: '' }, ''),
    ]);
    return { nodes: nodes.cursor, events: events.cursor };
  };
  const known = read().catch((error: unknown) => {
    log.warn({ err: error }, 'the console is sent without the positions of its streams');
    return UNKNOWN_PLACES;
  });
  return Promise.race([known, delay(placesMs, UNKNOWN_PLACES, { ref: false })]);
}

/** @throws DomainError unauthenticated */
async function signedIn(
  { people, signer, appUrl }: ConsoleDeps,
  request: FastifyRequest,
): Promise<{ session: string; person: Person }> {
  const session = sessionTokenOf(request, appUrl);
  if (session === undefined) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  const token = await signer.sign({ kind: 'service', service: 'gateway' });
  const options = { token, signal: request.call.signal, timeoutMs: CALL_MS };
  return { session, person: await people.getPerson({ sessionSha256: sessionHash(session) }, options) };
}

function startOf(
  { classNamespace, mapTiles, uploadUrl, deviceAddresses }: ConsoleDeps,
  session: string,
  { person, account, streams }: { person: Person; account: Account; streams: ConsoleStart['streams'] },
): ConsoleStart {
  const { userId, email, profile, accounts, invitations, isOperator } = person;
  return {
    person: {
      id: userId,
      email,
      name: `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim() || email,
      timezone: profile?.timezone ?? '',
      adjustForDst: profile?.timezoneAdjustForDst ?? true,
      timeFormat: profile?.timeFormat ?? '',
    },
    account: accountOf(account),
    accounts: accounts.map(accountOf),
    invitations: invitations.length,
    ...(isOperator && { isOperator: true as const }),
    csrf: csrfTokenOf(session),
    classNamespace,
    mapTiles,
    uploadUrl: uploadUrl ?? null,
    deviceAddresses,
    devicePorts: DEVICE_PORTS,
    streams,
  };
}

const accountOf = ({ ownerId, slug, accountName, standing, status }: Account): ConsoleStart['account'] => ({
  id: ownerId,
  slug,
  name: accountName,
  standing: standing as ConsoleStart['account']['standing'],
  isDisabled: status !== 'ACTIVE',
});

/** Sends a visitor without a session to sign in first; the visitor comes back to the same address. */
function toSignIn(request: FastifyRequest, reply: FastifyReply, error: unknown): boolean {
  if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') return false;
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const query = rawQueryOf(request.raw.url ?? '');
  const next = pageOfPeople(query === '' ? path : `${path}?${query}`) ?? pageOfPeople(path);
  reply
    .code(303)
    .header('location', next === undefined ? '/auth/login' : `/auth/login?next=${encodeURIComponent(next)}`)
    .header('cache-control', 'no-store')
    .send();
  return true;
}
