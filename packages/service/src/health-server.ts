import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentService, metricsPage } from '@catchment/telemetry';
import type { Readiness } from './readiness.ts';
import { tellReadiness } from './readiness-metrics.ts';

/**
 * `GET /healthz` (the process runs), `GET /readyz` (it can serve) and `GET /metrics`, on a port that only operators reach. The metrics
 * are those of the service that calls this (`inService`).
 */
export async function serveHealth(options: {
  host: string;
  /** 0 = any free port. */
  port: number;
  readiness: Readiness;
}): Promise<{ port: number; close(): Promise<void> }> {
  const service = currentService();
  const stopTelling = tellReadiness(options.readiness);
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/healthz') response.end('ok\n');
    else if (path === '/readyz') {
      const report = await options.readiness.report();
      response.writeHead(report.ready ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(report));
    } else if (path === '/metrics') {
      // The caller gets the failure; an exception here would end the process.
      await metricsPage(request.headers.accept, service).then(
        ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
        () => response.writeHead(500, { 'content-type': 'text/plain' }).end('the metrics could not be read\n'),
      );
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, options.host, resolve),
  );
  // Probes come again: one that cannot be accepted must not end the process, as it would without a listener.
  server.on('error', () => {});
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        stopTelling();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
