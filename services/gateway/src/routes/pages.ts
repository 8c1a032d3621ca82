import type { Readiness } from '@catchment/service';
import type { FastifyInstance } from 'fastify';
import { PEER_NAMES, type PeerName } from '../clients/peers.ts';
import { sendBytes } from '../response/send.ts';
import { definePathEnds } from './define-routes.ts';

/** The pages beside the API, none of which needs a key: home, probes, the API description. */
export function addPages(
  app: FastifyInstance,
  deps: { readiness: Readiness; checkPeer: (peer: PeerName) => Promise<void> },
): void {
  page(app, '/', 'text/html; charset=utf-8', async () => ({ status: 200, text: HOME }));
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
}

const OUTCOMES = [() => 'ok' as const, () => 'failed' as const] as const;

function page(
  app: FastifyInstance,
  url: string,
  contentType: string,
  content: () => Promise<{ status: number; text: string }>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      const { status, text } = await content();
      reply.header('x-content-type-options', 'nosniff');
      if (contentType.startsWith('text/html')) reply.header('content-security-policy', HOME_POLICY);
      await sendBytes(request, reply, { status, bytes: Buffer.from(text), contentType, caching: 'no-store' });
      return reply;
    },
  });
  definePathEnds(app, url, ['GET'], false);
}

const HOME_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const HOME = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Catchment</title><style>
body{font:16px/1.6 system-ui,sans-serif;max-width:42rem;margin:12vh auto;padding:0 1.5rem;color:#12343b}
h1{font-size:2.2rem;margin:0}ul{list-style:none;padding:0}li{margin:.6rem 0}
a{color:#1f7a8c;font-weight:600}code{background:#eef4f5;padding:.15em .4em;border-radius:4px}
@media(prefers-color-scheme:dark){body{background:#0d1f23;color:#dce8ea}code{background:#1c3439}a{color:#6cc4d4}}
</style></head><body>
<h1>Catchment</h1>
<p>Sensor data: collected, kept, watched over, and served under <code>/api/v1</code>. Requests carry an API key in the
header <code>X-Api-Key</code>.</p>
<ul>
<li><a href="/docs">Reference</a>: every operation, with a form to try it</li>
<li><a href="/api/v1/openapi.json">OpenAPI 3.1</a>: the same for programs</li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
</ul></body></html>
`;
