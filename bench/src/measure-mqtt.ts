import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Api, apiOf } from './api.ts';
import { quantile } from './in-turns.ts';
import { FIRST_MS, STEP_MS } from './influx-floor.ts';
import type { Installation } from './installation.ts';
import { openBus, untilRead } from './log-readers.ts';
import { cpuByProcess, cpuOfEach } from './processes.ts';
import { atLeast, figure, processorTime, type Row } from './report.ts';
import { messageBody } from './write-scenarios.ts';

const MODEL = 'io.svc.models.node';
const CONNECTIONS = 16;
const IN_FLIGHT = 20;
const MESSAGES = 96_000;
const WARM_UP = 0.25;
const LEAST_PER_SECOND = 5_000;
const PUBACK_BYTES = 4;

/** Messages of 3 points, QoS 1, each connection for a source of its own; until all are readable. @param scale share of them */
export async function measureMqtt(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const sources = await makeSources(api);
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

async function makeSources(api: Api): Promise<Source[]> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: `MQTT ${Date.now()}` });
  const parentId = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const transport = { _class: `${MODEL}.transport.Mqtt` };
  const sources: Source[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) {
    const id = await create({ _class: `${MODEL}.source.data.Jts`, name: `Source ${n}`, parentId, transport });
    const [node] = await api<{ transport: { key: string } }[]>('GET', `/nodes?filter=_id($eq:${id})&attr=transport`);
    sources.push({ id, key: node?.transport.key ?? '' });
  }
  return sources;
}

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};

function packet(first: number, body: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = body.length; rest > 0 || length.length === 0; rest = Math.floor(rest / 128))
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
  return Buffer.concat([Buffer.from([first, ...length]), body]);
}

/** @param nth of the connection; its packet id follows from it */
function publish(nth: number, body: string): Buffer {
  const id = 1 + (nth % 65_535);
  return packet(0x32, Buffer.concat([text('data'), Buffer.from([id >> 8, id & 0xff]), Buffer.from(body)]));
}

/** The packets are bytes before the clock starts: a client of Node costs more than the service does. */
async function connected(port: number, key: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const head = Buffer.concat([text('MQTT'), Buffer.from([4, 0x82, 0, 60])]);
  socket.write(packet(0x10, Buffer.concat([head, text(`bench-${key}`), text(key)])));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[0] !== 0x20 || answer[3] !== 0) throw new Error(`CONNACK ${answer.toString('hex')}`);
  return socket;
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
