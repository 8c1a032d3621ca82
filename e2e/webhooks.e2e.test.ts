// Everything that happens in an account is sent to its webhook, each event once, whatever dies on the way
// (docs/reference/events.md#webhooks).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, until } from '@catchment/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api, MODEL } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);

type CloudEvent = { id: string; data: { _id: string; message: string; nodeId?: string } };
type Delivery = { id: string; events: readonly CloudEvent[] };

let installation: Installation;
let receiver: Server;
let api: Api;
let levelId: string;
let webhookId: string;
let secret = '';
const deliveries: Delivery[] = [];
const refusals: unknown[] = [];
/** The next answers have these statuses; later ones have 200. */
const statuses: number[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      try {
        const headers = request.headers as Record<string, string>;
        const events = new Webhook(secret).verify(Buffer.concat(parts).toString(), headers) as CloudEvent[];
        deliveries.push({ id: headers['webhook-id'] ?? '', events });
      } catch (error) {
        refusals.push(error);
      }
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  installation = await borrowInstallation('messages');
  api = installation.api;
  const { sourceId } = await api.createSite('Weir');
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: sourceId,
    units: 'm',
    customId: 'level',
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5 }],
  });
  levelId = level._id;
  const { port } = receiver.address() as AddressInfo;
  const made = await api.post('/owners/account/webhooks', {
    name: 'Pager',
    url: `http://127.0.0.1:${port}/`,
    filter: 'nodeId($eq:@level),eventType($eq:STATE)',
  });
  expect(made.status).toBe(201);
  webhookId = made.json._id;
  secret = made.json.secret;
});
afterAll(async () => {
  await installation?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

let written = 0;
/** Writes until the answer is 202. */
async function write(value: number): Promise<void> {
  written += 1;
  const timestamp = new Date(FIRST_MS + written * 60_000).toISOString();
  const put = () => api.put(`/nodes/${levelId}/historic/now`, { value, timestamp }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { what: '202' });
}

/** Lists ids of events in the order of their coming; a delivery that came again counts once. */
const received = () =>
  [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()].flatMap(({ events }) =>
    events.map(({ id }) => id),
  );
const logged = async (): Promise<string[]> => {
  const answer = await api.get(`/nodes/${levelId}/events?filter=eventType($eq:STATE)`);
  return answer.status === 200 ? answer.json.map(({ _id }: { _id: string }) => _id) : [];
};
/** Waits until the log has this many events and the receiver the same ones. */
const allHere = (count: number) =>
  until(
    async () => {
      const [all, here] = [await logged(), received()];
      return all.length >= count && here.length >= count && { all, here };
    },
    { what: `${count} events at the receiver` },
  );

test('a state that changes is sent within 5 s, signed, as the log shows it', async () => {
  await write(6);
  const { all, here } = await allHere(1);
  expect(here).toEqual(all);
  expect(refusals).toEqual([]);
  const event = deliveries[0]?.events[0];
  expect(event?.data).toEqual((await api.get(`/nodes/${levelId}/events?filter=_id($eq:${event?.id})`)).json[0]);
});

test('a delivery that was refused is sent again by hand, under its id', async () => {
  statuses.push(500);
  const before = deliveries.length;
  await write(4);
  await until(() => deliveries.length > before);
  const path = `/owners/account/webhooks/${webhookId}`;
  const [waiting] = await until(async () => {
    const list = (await api.get(`${path}/deliveries?limit=1`)).json;
    return list[0]?.tries.length === 1 && list;
  });
  expect(waiting).toMatchObject({ status: 'PENDING', tries: [{ statusCode: 500, error: 'answered 500' }] });
  expect((await api.post(`${path}/deliveries/${waiting._id}/redeliver`)).status).toBe(200);
  await until(async () => (await api.get(`${path}/deliveries?limit=1`)).json[0].status === 'DELIVERED');
  expect(deliveries.filter(({ id }) => id === waiting._id)).toHaveLength(2);
});

test('processes and the broker are killed in between: nothing is missing, and nothing comes twice under another id', async () => {
  const before = (await allHere(2)).all.length;
  let count = before;
  for (const name of ['events', 'nats', 'alarms', 'events'].slice(0, amount(1, 4))) {
    await Promise.all([installation.kill(name), write(count % 2 === 0 ? 6 : 4)]);
    count += 1;
    await write(count % 2 === 0 ? 6 : 4);
    count += 1;
  }
  const { all, here } = await allHere(count);
  expect(here.toSorted()).toEqual(all.toSorted());
  expect(new Set(here).size).toBe(here.length);
  expect(refusals).toEqual([]);
});
