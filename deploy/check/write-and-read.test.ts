import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@catchment/testkit';

const SCRIPT = path.join(import.meta.dirname, '../chart/catchment/files/write-and-read.mjs');

/**
 * Starts as much of a gateway as the test calls; `isHttps` says what it takes for HTTPS, as by
 * `gateway.trustedProxies`.
 */
async function gateway(isHttps: (request: IncomingMessage) => boolean, port = 0) {
  let written: { ts: string; f: object } | undefined;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    const sent = JSON.parse((await text(request)) || '{}') as { data?: [typeof written] };
    if (!isHttps(request)) return answer(403, { error: { code: 403, message: 'HTTPS is required' } });
    if (request.method === 'PUT') written = sent.data?.[0];
    if (request.method !== 'GET') return answer(200, { _id: 'source' });
    if (request.url?.includes('/historic?')) return answer(200, { data: [written] });
    return answer(200, request.url?.includes('filter=') ? [] : [{ _id: 'parameter', parentId: 'source' }]);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function helmTest(url: string, requireHttps: boolean): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    GATEWAY_URL: url,
    API_KEY: 'key',
    CLASS_NAMESPACE: 'io.svc',
    REQUIRE_HTTPS: String(requireHttps),
  };
  const { stdout, stderr } = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return (await Promise.all([text(stdout), text(stderr)])).join('');
}

const saysHttps = ({ headers }: IncomingMessage) => headers['x-forwarded-proto'] === 'https';

test('helm test waits for a gateway that it does not reach yet', async () => {
  // Not one of outgoing connections: who calls a port of those that nobody has could meet itself.
  const port = await freePort();
  const said = helmTest(`http://127.0.0.1:${port}`, false);
  await setTimeout(1_000);
  await using _server = await gateway(() => true, port);
  expect(await said).toMatch(/^wrote/);
});

test.each([
  ['a gateway that asks for HTTPS and trusts the pod', true, saysHttps, /^wrote \d+ at \S+ and read it back/],
  ['a gateway that asks for HTTPS and does not', true, () => false, /requireHttps: .* add the range of pods/],
  ['a gateway that takes HTTP', false, (request: IncomingMessage) => !saysHttps(request), /^wrote \d+/],
])('helm test at %s', async (_what, requireHttps, isHttps, says) => {
  await using server = await gateway(isHttps);
  expect(await helmTest(server.url, requireHttps)).toMatch(says);
});
