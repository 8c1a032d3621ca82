import { setTimeout as delay } from 'node:timers/promises';
import { type Api, apiOf } from './api.ts';
import { quantile } from './in-turns.ts';
import type { Installation } from './installation.ts';
import { openBus, untilRead } from './log-readers.ts';
import { appendFloor } from './measure-writes.ts';
import { imei, Modem } from './modem.ts';
import { cpuByProcess, cpuOfEach, residentBytes } from './processes.ts';
import { atLeast, atLeastOfFloor, atMost, figure, processorTime, type Row } from './report.ts';
import { messageBody } from './write-scenarios.ts';

const MODEL = 'io.svc.models.node';
const MODEMS = 5_000;
const WARM_UP_SECONDS = 5;
const EVERY_MS = 1_000;
const AT_ONCE = 16;
const CONNECTS_AT_ONCE = 200;
const SETTLE_MS = 3_000;
const LATE_MS = 300_000;
const FLOOR_REQUESTS = 32_000;
const MOST_P99_MS = 1_000;
const MOST_KIB = 40;
const MOST_RECONNECT_S = 30;
const LEAST_OF_FLOOR = 0.5;
/** Least share of the messages that are due. */
const LEAST_OF_DUE = 0.98;

/** All modems of the measurement have one address. */
export const MODEMS_ENV = { SCOUT_MAX_CONNECTIONS_PER_ADDRESS: '20000', SCOUT_MAX_CONNECTIONS: '20000' };

/**
 * Modems that send one message of 3 points each second, then all reconnect at once.
 * @param scale share of modems
 * @param seconds how long they send
 */
export async function measureModems(installation: Installation, scale: number, seconds: number): Promise<Row[]> {
  const count = Math.ceil(MODEMS * scale);
  const keys = Array.from({ length: count }, (_, n) => imei(n));
  await makeSources(apiOf(installation), keys);
  const bus = await openBus(installation);
  const floor = await appendFloor(installation, { targets: 64, request: appendRequest }, FLOOR_REQUESTS * scale);
  const { scout: scoutPort } = await installation.ports();
  const { devices = 0, ...others } = await installation.pids();
  await delay(SETTLE_MS);
  const before = await residentBytes([devices]);
  const modems = keys.map((key) => new Modem(key));
  for (let n = 0; n < count; n += CONNECTS_AT_ONCE)
    await Promise.all(modems.slice(n, n + CONNECTS_AT_ONCE).map((modem) => modem.open(scoutPort)));
  await delay(SETTLE_MS);
  const kib = ((await residentBytes([devices])) - before) / 1_024 / count;

  await sendEverySecond(modems, WARM_UP_SECONDS);
  await answered(modems);
  await untilRead(bus);
  for (const modem of modems) modem.latencies.length = 0;
  const pids: Record<string, number> = { devices, ...others, sender: process.pid };
  const cpuBefore = await cpuByProcess(pids);
  const began = performance.now();
  await sendEverySecond(modems, seconds);
  const due = count * seconds;
  await answered(modems);
  const rate = due / ((performance.now() - began) / 1_000);
  const latencies = modems.flatMap((modem) => modem.latencies);
  const sendingKib = ((await residentBytes([devices])) - before) / 1_024 / count;
  await untilRead(bus);
  const cpuMs = cpuOfEach(cpuBefore, await cpuByProcess(pids), due);

  for (const modem of modems) modem.close();
  const reconnectBegan = performance.now();
  await Promise.all(modems.map((modem) => modem.open(scoutPort)));
  for (const modem of modems) modem.send();
  await answered(modems);
  const reconnectSeconds = (performance.now() - reconnectBegan) / 1_000;
  for (const modem of modems) modem.close();
  await bus.close();

  const name = `${count} modems, 1 message of 3 points each second`;
  return [
    atLeast(`${name}: acknowledged`, rate, 'messages/s', (count / (EVERY_MS / 1_000)) * LEAST_OF_DUE),
    atLeastOfFloor(`${name}: beside a bare server that appends`, rate, 'messages/s', floor, LEAST_OF_FLOOR),
    atMost(
      `${name}: p99 (p50 ${quantile(latencies, 0.5).toFixed(1)} ms)`,
      quantile(latencies, 0.99),
      'ms',
      MOST_P99_MS,
    ),
    processorTime(name, cpuMs),
    atMost(`${name}: memory of a modem in devices, connected`, kib, 'KiB', MOST_KIB),
    figure(`${name}: memory of a modem in devices after it has sent`, sendingKib, 'KiB'),
    atMost(`${count} modems reconnect at once, each with a message`, reconnectSeconds, 's', MOST_RECONNECT_S),
    figure(`${name}: floor`, floor, 'requests/s'),
  ];
}

const appendRequest = (_id: string, nth: number) => ({ method: 'PUT' as const, path: '/', body: messageBody(nth) });

/** Data sources of modems, with their parameters. @returns their ids */
export async function makeSources(api: Api, keys: readonly string[]): Promise<string[]> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: `Modems ${Date.now()}` });
  const parentId = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const rest = [...keys];
  const ids: string[] = [];
  const work = async () => {
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
      const transport = { _class: `${MODEL}.transport.Scout`, deviceId: key };
      const id = await create({ _class: `${MODEL}.source.data.Jts`, name: key, parentId, transport });
      ids.push(id);
      // Its parameters are there before the first message.
      await api('PUT', `/nodes/${id}/historic`, JSON.parse(messageBody(0)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Every modem sends once in a second, each at a moment of its own. */
async function sendEverySecond(modems: readonly Modem[], seconds: number): Promise<void> {
  const began = performance.now();
  let sent = 0;
  const all = modems.length * seconds;
  while (sent < all) {
    const due = Math.min(all, Math.floor(((performance.now() - began) / EVERY_MS) * modems.length));
    for (; sent < due; sent += 1) modems[sent % modems.length]?.send();
    await delay(1);
  }
}

async function answered(modems: readonly Modem[]): Promise<void> {
  const endMs = performance.now() + LATE_MS;
  while (modems.some((modem) => modem.waiting > 0)) {
    if (performance.now() > endMs) throw new Error('messages of modems were not acknowledged in time');
    await delay(20);
  }
}
