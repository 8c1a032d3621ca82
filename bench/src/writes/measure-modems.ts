import { setTimeout as delay } from 'node:timers/promises';
import { type Api, apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { answered, measureEverySecond } from '../loads/every-second.ts';
import { imei, Modem } from '../loads/modem.ts';
import { messageBody } from '../loads/write-scenarios.ts';
import { atLeastOfFloor, atMost, figure, type Row } from '../report.ts';
import { openBus } from '../watch/log-readers.ts';
import { residentBytes } from '../watch/processes.ts';
import { appendFloor } from './measure-writes.ts';

const MODEL = 'io.svc.models.node';
/** One Location has this many sources: a new one is compared with all beside it. */
const SOURCES_OF_PLACE = 50;
const MODEMS = 5_000;
const AT_ONCE = 16;
const CONNECTS_AT_ONCE = 200;
const SETTLE_MS = 3_000;
const FLOOR_REQUESTS = 32_000;
const MOST_KIB = 40;
const MOST_RECONNECT_S = 30;
const LEAST_OF_FLOOR = 0.5;

/** All modems of the measurement have one address. */
export const MODEMS_ENV = { SCOUT_MAX_CONNECTIONS_PER_ADDRESS: '20000', SCOUT_MAX_CONNECTIONS: '20000' };

/**
 * Measures modems that send one message of 3 points each second, then all reconnect at once.
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
  const { devices = 0 } = await installation.pids();
  await delay(SETTLE_MS);
  const before = await residentBytes([devices]);
  const modems = keys.map((key) => new Modem(key));
  for (let n = 0; n < count; n += CONNECTS_AT_ONCE)
    await Promise.all(modems.slice(n, n + CONNECTS_AT_ONCE).map((modem) => modem.open(scoutPort)));
  await delay(SETTLE_MS);
  const kib = ((await residentBytes([devices])) - before) / 1_024 / count;

  const name = `${count} modems, 1 message of 3 points each second`;
  const { rate, rows } = await measureEverySecond(installation, bus, modems, { name, seconds, scale });
  const sendingKib = ((await residentBytes([devices])) - before) / 1_024 / count;

  for (const modem of modems) modem.close();
  const reconnectBegan = performance.now();
  await Promise.all(modems.map((modem) => modem.open(scoutPort)));
  for (const modem of modems) modem.send();
  await answered(modems);
  const reconnectSeconds = (performance.now() - reconnectBegan) / 1_000;
  for (const modem of modems) modem.close();
  await bus.close();

  return [
    ...rows,
    atLeastOfFloor(`${name}: beside a bare server that appends`, rate, 'messages/s', floor, LEAST_OF_FLOOR),
    atMost(`${name}: memory of a modem in devices, connected`, kib, 'KiB', MOST_KIB),
    figure(`${name}: memory of a modem in devices after it has sent`, sendingKib, 'KiB'),
    atMost(`${count} modems reconnect at once, each with a message`, reconnectSeconds, 's', MOST_RECONNECT_S),
    figure(`${name}: floor`, floor, 'requests/s'),
  ];
}

const appendRequest = (_id: string, nth: number) => ({ method: 'PUT' as const, path: '/', body: messageBody(nth) });

/** Makes data sources of modems, with their parameters. @returns their ids */
export async function makeSources(api: Api, keys: readonly string[]): Promise<string[]> {
  const create = async (body: object) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const placeOf = await placesFor(create, 'Modems');
  const rest = [...keys];
  const ids: string[] = [];
  const work = async () => {
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
      const transport = { _class: `${MODEL}.transport.Scout`, deviceId: key };
      const parentId = await placeOf();
      const id = await create({ _class: `${MODEL}.source.data.Jts`, name: key, parentId, transport });
      ids.push(id);
      // Its parameters are there before the first message.
      await api('PUT', `/nodes/${id}/historic`, JSON.parse(messageBody(0)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Makes a Workspace. @returns the Location of the next source: each has a few */
export async function placesFor(
  create: (body: object) => Promise<string>,
  name: string,
): Promise<() => Promise<string>> {
  const parentId = await create({ _class: `${MODEL}.Workspace`, name: `${name} ${Date.now()}` });
  let given = 0;
  let place: Promise<string> = Promise.resolve('');
  return () => {
    if (given % SOURCES_OF_PLACE === 0)
      place = create({ _class: `${MODEL}.location.Location`, name: `Site ${given / SOURCES_OF_PLACE}`, parentId });
    given += 1;
    return place;
  };
}
