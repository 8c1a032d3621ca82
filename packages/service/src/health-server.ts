import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from './readiness.ts';

/** `GET /healthz` (the process runs) and `GET /readyz` (it can serve), for services that speak no HTTP otherwise. */
export async function serveHealth(options: {
  host: string;
  /** 0 = any free port. */
  port: number;
  readiness: Readiness;
  /** More pages, for example `/metrics`: text by path. */
  pages?: Readonly<Record<string, () => Promise<string> | string>>;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const page = options.pages?.[path];
    if (path === '/healthz') response.end('ok\n');
    else if (path === '/readyz') {
      const report = await options.readiness.report();
      response.writeHead(report.ready ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(report));
    } else if (page) {
      // The caller gets the failure; an exception here would end the process.
      const [status, text] = await (async () => [200, await page()] as const)().catch(
        () => [500, 'the page could not be made\n'] as const,
      );
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
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
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
