import type { Readiness } from '@catchment/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageLanguage } from '../../domain/page-language.ts';
import type { Authenticator } from '../../usecases/authenticator.ts';
import { PEER_NAMES, type PeerName } from '../../usecases/ports.ts';
import { sessionTokenOf } from '../auth/session-cookie.ts';
import { asyncApiOf } from '../openapi/asyncapi.ts';
import { sendBytes } from '../response/send.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { LOGO_SVG, PAGE_POLICY } from '../views/layout.ts';
import { homePage } from './home-page.ts';

type PagesDeps = {
  readonly readiness: Readiness;
  readonly checkPeer: (peer: PeerName) => Promise<void>;
  readonly baseUrl: string | undefined;
  readonly sessions: Authenticator;
  readonly appUrl: string | undefined;
};

/** Serves the pages beside the API, none of which needs a key: home, probes, the API description. */
export function addPages(app: FastifyInstance, deps: PagesDeps): void {
  page(
    app,
    '/',
    'text/html; charset=utf-8',
    async ({ headers }) => ({ status: 200, text: homePage(pageLanguage(headers['accept-language'])) }),
    knownGoOn(deps),
  );
  // Browsers ask for the second one by themselves.
  for (const url of ['/favicon.svg', '/favicon.ico'])
    page(app, url, 'image/svg+xml', async () => ({ status: 200, text: LOGO_SVG }));
  page(app, '/healthz', 'text/plain; charset=utf-8', async () => ({ status: 200, text: 'ok\n' }));
  page(app, '/readyz', 'application/json; charset=utf-8', async () => {
    const [report, ...answers] = await Promise.all([
      deps.readiness.report(),
      ...PEER_NAMES.map((peer) => deps.checkPeer(peer).then(...OUTCOMES)),
    ]);
    const peers = Object.fromEntries(PEER_NAMES.map((peer, index) => [peer, answers[index]]));
    return { status: report.ready ? 200 : 503, text: JSON.stringify({ ...report, peers }) };
  });
  page(app, '/api/v1/openapi.json', 'application/json; charset=utf-8', async () => ({
    status: 200,
    text: JSON.stringify(app.swagger()),
  }));
  page(app, '/api/v1/asyncapi.json', 'application/json; charset=utf-8', async () => ({
    status: 200,
    text: JSON.stringify(asyncApiOf(app.swagger() as Parameters<typeof asyncApiOf>[0], deps.baseUrl)),
  }));
}

const OUTCOMES = [() => 'ok' as const, () => 'failed' as const] as const;

function page(
  app: FastifyInstance,
  url: string,
  contentType: string,
  content: (request: FastifyRequest) => Promise<{ status: number; text: string }>,
  instead: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> = async () => false,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      if (await instead(request, reply)) return reply;
      const { status, text } = await content(request);
      if (contentType.startsWith('text/html')) reply.header('content-security-policy', PAGE_POLICY);
      await sendBytes(request, reply, { status, bytes: Buffer.from(text), contentType, caching: 'no-store' });
      return reply;
    },
  });
  definePathEnds(app, url, ['GET'], false);
}

/** The page for strangers is none for who is signed in: they go on with their account. */
function knownGoOn({ sessions, appUrl }: PagesDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const session = sessionTokenOf(request, appUrl);
    // A failed look-up shows the page: what is behind it reports the failure.
    const account = session === undefined ? undefined : await sessions.accountOf(session).catch(() => undefined);
    if (account === undefined) return false;
    reply.code(303).header('location', '/a').header('cache-control', 'no-store').send();
    return true;
  };
}
