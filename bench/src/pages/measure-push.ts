import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { atMost, figure, type Row } from '../report.ts';
import { cpuByProcess, memoryGrowth, residentBytes } from '../watch/processes.ts';

const MIB = 1024 * 1024;
const CLIENTS = 2_000;
const CLIENTS_OF_KEY = 100;
const AT_ONCE = 50;
const BAR_MIB = 200;
const BAR_SECONDS = 1;
const EVENTS = 20;
const BURST = 100;
const SETTLE_MS = 5_000;
const LIMIT_MS = 60_000;

/** An account has at most half of the places. */
export const PUSH_ENV = { STREAMS_MAX: String(2 * CLIENTS) };

type Client = { readonly response: IncomingMessage; seen: number };

/** Measures what streams cost, and how long an event is under way to all of them (docs/reference/events.md#streams). */
export async function measurePush(installation: Installation, scale: number): Promise<Row[]> {
  const count = Math.max(CLIENTS_OF_KEY, Math.ceil(CLIENTS * scale));
  const api = apiOf(installation);
  const { _id: nodeId } = await api<{ _id: string }>('POST', '/nodes', {
    _class: 'io.svc.models.node.Workspace',
    name: 'Push',
  });
  const keys: string[] = [];
  for (let n = 0; n < count; n += CLIENTS_OF_KEY) {
    const body = { label: `Push ${n}`, permission: 'READ_ONLY', accessLevel: 'ACCOUNT' };
    keys.push((await api<{ key: string }>('POST', '/owners/account/apikeys', body)).key);
  }
  const pids = await installation.pids();
  const gateway = [pids.gateway ?? 0];
  // The first streams need some things once, code above all, which are no cost of a stream.
  const warm = await openAll(installation, keys, CLIENTS_OF_KEY);
  for (const { response } of warm) response.destroy();
  await delay(SETTLE_MS);
  const clients: Client[] = [];
  const post = (events: number) =>
    api(
      'POST',
      `/nodes/${nodeId}/events`,
      Array.from({ length: events }, (_, n) => ({ message: `Event ${n}` })),
    );
  const times: number[] = [];
  let burstMs = 0;
  const grown = await memoryGrowth(gateway, async () => {
    clients.push(...(await openAll(installation, keys, count)));
    await delay(SETTLE_MS);
    const cpu = await cpuByProcess(pids);
    for (let n = 0; n < EVENTS; n += 1) times.push(await untilAllHave(clients, 1, () => post(1)));
    console.log(`  processor time of ${EVENTS} events, ms: ${JSON.stringify(await cpuSince(pids, cpu))}`);
    burstMs = await untilAllHave(clients, BURST, () => post(BURST));
    await delay(SETTLE_MS);
  });
  console.log(`  gateway with ${count} streams: ${Math.round((await residentBytes(gateway)) / MIB)} MiB resident`);
  for (const { response } of clients) response.destroy();
  console.log(`  an event to all, ms: ${times.map(Math.round).join(', ')}`);
  times.sort((a, b) => a - b);
  const worst = times.at(-1) ?? 0;
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  return [
    atMost(
      `${count} streams of ${keys.length} keys: growth of the gateway, with ${EVENTS + BURST} events`,
      grown / MIB,
      'MiB',
      BAR_MIB,
    ),
    atMost(
      `an event until the last of ${count} streams has it, the slowest of ${EVENTS} (median ${Math.round(middle)} ms)`,
      worst / 1_000,
      's',
      BAR_SECONDS,
    ),
    figure(`${BURST} events at once until the last of ${count} streams has them all`, burstMs / 1_000, 's'),
  ];
}

async function openAll(installation: Installation, keys: readonly string[], count: number): Promise<Client[]> {
  const clients: Client[] = [];
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => {
      const key = keys[Math.floor((from + n) / CLIENTS_OF_KEY)] ?? '';
      return openOne(`${installation.url}/api/v1/events/stream`, key, agent);
    });
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

async function openOne(url: string, key: string, agent: Agent): Promise<Client> {
  const asked = request(url, { headers: { 'x-api-key': key }, agent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream answered ${response.statusCode}`);
  const client: Client = { response, seen: 0 };
  response.setEncoding('latin1');
  let rest = '';
  response.on('data', (text: string) => {
    const parts = (rest + text).split('\ndata: ');
    client.seen += parts.length - 1;
    rest = (parts.at(-1) ?? '').slice(-7);
  });
  response.on('error', () => {});
  return client;
}

/** Measures the time until every client has as many events more, from before they are sent. */
async function untilAllHave(clients: readonly Client[], events: number, send: () => Promise<unknown>): Promise<number> {
  const wanted = clients.map(({ seen }) => seen + events);
  const beganMs = performance.now();
  await send();
  while (clients.some(({ seen }, n) => seen < (wanted[n] ?? 0))) {
    if (performance.now() - beganMs > LIMIT_MS) throw new Error('a stream has not sent its events in time');
    await delay(5);
  }
  return performance.now() - beganMs;
}

async function cpuSince(pids: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) {
  const now = await cpuByProcess(pids);
  return Object.fromEntries(Object.entries(now).map(([name, ms]) => [name, Math.round(ms - (before[name] ?? 0))]));
}
