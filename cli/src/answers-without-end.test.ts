// Some servers of the installation answer without an end: each of them is let go of at a limit.
import { createServer, type RequestListener } from 'node:http';
import { askMonitor } from '@catchment/bus';
import { checkServer } from '@catchment/servers';
import { influxDiskBytes } from '@catchment/service/influx-disk';
import { flood, HostileServers } from '@catchment/testkit';
import { ApiClient } from './api/api-client.ts';
import { openClient } from './api/open-client.ts';
import { influxdbs } from './doctor/checks/influxdb.ts';
import { services } from './doctor/checks/services.ts';
import type { Installation } from './doctor/installation.ts';

const servers = new HostileServers();
afterEach(() => servers.close());

const never = new AbortController().signal;
const LIMIT = { ms: 60_000, signal: never };
const endless: RequestListener = (_request, response) => flood(response.writeHead(200), '{'.repeat(65_536));
const installation = (more: Partial<Installation>): Installation =>
  ({ environment: {}, services: [], dataDir: undefined, ...more }) as unknown as Installation;

test.each<[string, (url: string) => Promise<unknown>, string]>([
  ['statistics of InfluxDB', (url) => influxDiskBytes(url, 'a', { headers: {}, signal: never }), '16 MiB'],
  ['state of NATS', (url) => askMonitor(url, never), '64 KiB'],
  ['readiness of a service', (url) => look(services(installation({ services: [ready(url)] }))), '64 KiB'],
  ['policies of InfluxDB', (url) => look(influxdbs(installation({ environment: { INFLUX_URL: url } }))), '64 KiB'],
  ['API', (url) => new ApiClient(url, 'key').text('GET', '/nodes'), '64 MiB'],
  ['API, by the client', (url) => nodesOf(url), '64 MiB'],
])('%s without an end', async (_what, ask, limit) => {
  const port = await servers.listen(createServer(endless));
  await expect(ask(`http://127.0.0.1:${port}`)).rejects.toThrow(`answer has more than ${limit}`);
});

test('a ping of InfluxDB with a body without an end is not waited for', async () => {
  const pong: RequestListener = ({ url }, response) =>
    url === '/ping' ? response.writeHead(204).end() : flood(response.writeHead(200), '{'.repeat(65_536));
  const port = await servers.listen(createServer(pong));
  await checkServer('influx', `http://user:password@127.0.0.1:${port}`);
});

async function nodesOf(url: string): Promise<unknown> {
  const { client } = await openClient({ url, key: 'key', dataDir: 'none' });
  return Array.fromAsync(client.nodes.list());
}

const ready = (url: string) => ({ name: 'nodes', readyUrl: url, metricsUrl: undefined }) as never;
const look = ([first]: ReturnType<typeof services>) => (first as NonNullable<typeof first>).look(LIMIT);
