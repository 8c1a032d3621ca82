import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, apiOf } from '../api.ts';
import { FIRST_MS, STEP_MS } from '../floors/influx-floor.ts';
import { chunks } from '../floors/stores-floor.ts';
import type { Installation } from '../installation.ts';
import { measureEverySecond } from '../loads/every-second.ts';
import { connected, MqttClient, PUBACK_BYTES, publish } from '../loads/mqtt-client.ts';
import { messageBody } from '../loads/write-scenarios.ts';
import { atLeast, figure, processorTime, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';
import { openBus, untilRead } from '../watch/log-readers.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';
import { placesFor } from './measure-modems.ts';

const MODEL = 'io.svc.models.node';
const CONNECTIONS = 16;
const IN_FLIGHT = 20;
const MESSAGES = 96_000;
const WARM_UP = 0.25;
const LEAST_PER_SECOND = 5_000;
const CLIENTS = 5_000;
const AT_ONCE = 16;
const CONNECTS_AT_ONCE = 100;
const SETTLE_MS = 3_000;

/** All clients of the measurement have one address. */
export const MQTT_ENV = { MQTT_MAX_CONNECTIONS_PER_ADDRESS: '20000', MQTT_MAX_CONNECTIONS: '20000' };

/** Measures a few clients that send as fast as they are answered, then many with a message a second. @param scale share of both */
export async function measureMqtt(installation: Installation, scale: number, seconds: number): Promise<Row[]> {
  return [...(await measureFew(installation, scale)), ...(await measureMany(installation, scale, seconds))];
}

async function measureMany(installation: Installation, scale: number, seconds: number): Promise<Row[]> {
  const api = apiOf(installation);
  const sources = await makeSources(api, Math.ceil(CLIENTS * scale));
  // Its parameters are there before the first message.
  for (const some of chunks(sources, AT_ONCE))
    await Promise.all(some.map(({ id }) => api('PUT', `/nodes/${id}/historic`, JSON.parse(messageBody(0)))));
  const { mqtt: port } = await installation.ports();
  const clients = sources.map(({ key }) => new MqttClient(key));
  for (const some of chunks(clients, CONNECTS_AT_ONCE)) await Promise.all(some.map((client) => client.open(port)));
  await delay(SETTLE_MS);
  const bus = await openBus(installation);
  const name = `${clients.length} clients of MQTT, 1 message of 3 points each second`;
  const { rows } = await measureEverySecond(installation, bus, clients, { name, seconds, scale });
  for (const client of clients) client.close();
  await bus.close();
  return rows;
}

/** Measures messages of 3 points, QoS 1, each connection for a source of its own; until all are readable. @param scale share of them */
async function measureFew(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const sources = await makeSources(api, CONNECTIONS);
  const { mqtt: mqttPort } = await installation.ports();
  const perSource = Math.ceil((MESSAGES * scale) / CONNECTIONS);
  const warmUp = Math.ceil(perSource * WARM_UP);
  const bus = await openBus(installation);
  const send = async (from: number, to: number) => {
    const latencies: number[] = [];
    const lists = sources.map(() => Array.from({ length: to - from }, (_, n) => publish(n, messageBody(from + n))));
    const sockets = await Promise.all(sources.map(({ key }) => connected(mqttPort, key)));
    const began = performance.now();
    await Promise.all(sockets.map((socket, n) => sendAll(socket, lists[n] ?? [], latencies)));
    for (const socket of sockets) socket.destroy();
    return { latencies, began };
  };
  await send(0, warmUp);
  await untilReadable(api, sources, warmUp, () => untilRead(bus));
  const pids = { ...(await installation.pids()), sender: process.pid };
  const before = await cpuByProcess(pids);
  const { latencies, began } = await send(warmUp, warmUp + perSource);
  const sentBy = await cpuByProcess({ sender: process.pid });
  const acknowledged = latencies.length / ((performance.now() - began) / 1_000);
  await untilReadable(api, sources, warmUp + perSource, () => untilRead(bus));
  const rate = latencies.length / ((performance.now() - began) / 1_000);
  const cpuMs = cpuOfEach(before, { ...(await cpuByProcess(pids)), ...sentBy }, latencies.length);
  await bus.close();
  const name = `MQTT messages of 3 points, QoS 1, ${CONNECTIONS} connections, ${IN_FLIGHT} in flight`;
  return [
    atLeast(name, rate, 'messages/s', LEAST_PER_SECOND),
    figure(`${name}: acknowledged`, acknowledged, 'messages/s'),
    figure(`${name}: p99 (p50 ${quantile(latencies, 0.5).toFixed(1)} ms)`, quantile(latencies, 0.99), 'ms'),
    processorTime(name, cpuMs),
  ];
}

type Source = { readonly id: string; readonly key: string };

async function makeSources(api: Api, count: number): Promise<Source[]> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const placeOf = await placesFor(create, 'MQTT');
  const transport = { _class: `${MODEL}.transport.Mqtt` };
  const createSource = async (n: number): Promise<Source> => {
    const parentId = await placeOf();
    const id = await create({ _class: `${MODEL}.source.data.Jts`, name: `Source ${n}`, parentId, transport });
    const [node] = await api<{ transport: { key: string } }[]>('GET', `/nodes?filter=_id($eq:${id})&attr=transport`);
    return { id, key: node?.transport.key ?? '' };
  };
  const sources: Source[] = [];
  for (const some of chunks([...Array(count).keys()], AT_ONCE))
    sources.push(...(await Promise.all(some.map(createSource))));
  return sources;
}

/** The next message goes when one of those in flight is acknowledged. */
function sendAll(socket: Socket, messages: readonly Buffer[], latencies: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sentAt: number[] = [];
  let answered = 0;
  let rest = 0;
  const fill = () => {
    const next = messages.slice(sentAt.length, answered + IN_FLIGHT);
    if (next.length > 0) socket.write(next.length === 1 ? (next[0] as Buffer) : Buffer.concat(next));
    const now = performance.now();
    for (const _ of next) sentAt.push(now);
  };
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.length;
    const now = performance.now();
    for (; rest >= PUBACK_BYTES; rest -= PUBACK_BYTES) latencies.push(now - (sentAt[answered++] ?? now));
    if (answered >= messages.length) resolve();
    else fill();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the service closed a connection')));
  fill();
  return promise;
}

async function untilReadable(api: Api, sources: readonly Source[], count: number, read: () => Promise<void>) {
  await read();
  const last = new Date(FIRST_MS + (count - 1) * STEP_MS).toISOString();
  for (const { id } of sources) {
    for (const { _id } of await api<{ _id: string }[]>('GET', `/nodes?attr=_id&filter=parentId($eq:${id})`)) {
      const path = `/nodes/${_id}/historic?startTime=${last}&endTime=${last}`;
      const { data } = await api<{ data: unknown[] }>('GET', path);
      if (data.length !== 1) throw new Error(`the last record of ${_id} at ${last} is not readable`);
    }
  }
}
