import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentService, metricsPage } from '@catchment/telemetry';
import type { Readiness } from './readiness.ts';
import { reportReadiness } from './readiness-metrics.ts';

type HealthServer = { readonly port: number; close(): Promise<void> };
/** The server listens here; port 0 = any free port. */
type Place = { readonly host: string; readonly port: number };

/**
 * Serves `GET /healthz` (the process runs), `GET /readyz` (it can serve) and `GET /metrics`, on a port that only operators reach. The
 * metrics are those of the service that calls this (`inService`).
 */
export async function serveHealth({ readiness, ...place }: Place & { readiness: Readiness }): Promise<HealthServer> {
  const service = currentService();
  const stopReporting = reportReadiness(readiness);
  const server = await serve(
    place,
    () => readiness.report(),
    (accept) => metricsPage(accept, service),
  );
  return {
    port: server.port,
    close: () => {
      stopReporting();
      return server.close();
    },
  };
}

/**
 * Serves `GET /healthz` and `GET /readyz` of a process with several services, for who can ask one port only, as the probes of a pod: ready
 * are those that all are.
 */
export const serveProcessHealth = (
  place: Place,
  services: readonly { readonly name: string; readonly readiness: Readiness }[],
): Promise<HealthServer> =>
  serve(place, async () => {
    const reports = await Promise.all(
      services.map(async ({ name, readiness }) => [name, await readiness.report()] as const),
    );
    return { ready: reports.every(([, { ready }]) => ready), services: Object.fromEntries(reports) };
  });

async function serve(
  { host, port }: Place,
  report: () => Promise<{ readonly ready: boolean }>,
  metrics?: (accept: string | undefined) => ReturnType<typeof metricsPage>,
): Promise<HealthServer> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/healthz') response.end('ok\n');
    else if (path === '/readyz') {
      const health = await report();
      response.writeHead(health.ready ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(health));
    } else if (path === '/metrics' && metrics) {
      // The caller gets the failure; an exception here would end the process.
      await metrics(request.headers.accept).then(
        ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
        () => response.writeHead(500, { 'content-type': 'text/plain' }).end('the metrics could not be read\n'),
      );
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // Probes come again: one that cannot be accepted must not end the process, as it would without a listener.
  server.on('error', () => {});
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
