import { promisify } from 'node:util';
import { openService } from '@catchment/service';
import { openFrontEnd } from './clients/front-end.ts';
import { connectPeers } from './clients/peers.ts';
import { runbookPage } from './clients/runbook.ts';
import { config } from './config.ts';
import { buildApp } from './transport/app.ts';
import { Drain } from './transport/drain.ts';
import { openPush } from './usecases/push/open-push.ts';

/** Clients with open connections are served this long after the process was asked to stop: a pooled connection is used again soon. */
const LINGER_MS = 3_000;
/** The process also waits until no client has asked for this long. */
const QUIET_MS = 1_000;
/** The process serves no longer than this, though they still come. */
const SERVE_MS = 15_000;
/** Requests in flight may finish within this time, a little below the service's own limit. */
const DRAIN_MS = 21_000;

export const service = openService(config, async (scope) => {
  const { config, log, readiness, defer, signer } = scope;
  const peers = connectPeers(scope.peers);
  const drain = new Drain();
  const push = openPush({ peers, signer, log, limits: config.push });
  const frontEnd = openFrontEnd(config.pages.webRoot);
  const app = await buildApp({ config, peers, signer, log, readiness, drain, push, frontEnd, runbook: runbookPage });
  // Nobody can be authenticated without it; without one of the others only its own operations answer 503.
  readiness.add('nodes', () => peers.check('nodes'));
  const address = await app.listen({ host: config.http.host, port: config.http.port });
  // No file descriptor is left, say: without a listener it would end the process.
  app.server.on('error', (err) => log.error({ err }, 'connection could not be accepted'));
  defer(async () => {
    const connections = promisify(app.server.getConnections.bind(app.server)) as () => Promise<number>;
    push.close();
    await drain.begin({
      connections,
      lingerMs: LINGER_MS,
      quietMs: QUIET_MS,
      serveMs: SERVE_MS,
      limitMs: DRAIN_MS,
    });
    app.server.closeAllConnections();
    await app.close();
  });
  return { address };
});
