import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from '@catchment/servers';
import { choosePorts, type KeptPorts, type WantedPorts } from './ports.ts';

let others: Server[] = [];
afterEach(() => {
  for (const other of others) other.close();
  others = [];
});

/** Another program that listens. */
async function taken(wanted?: number): Promise<number> {
  const port = wanted ?? (await freePort());
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  others.push(server);
  return port;
}

async function chosen(kept: KeptPorts, of: Partial<WantedPorts> = {}) {
  const said: string[] = [];
  const wanted = { http: 0, httpIsFixed: false, usual: false, host: '127.0.0.1', devices: 2, env: {}, ...of };
  return { ...(await choosePorts({ ...wanted, kept, say: (line) => said.push(line) })), said };
}

test('a start has the ports of the one before: listeners, health and metrics, of each process of devices', async () => {
  const first = await chosen({});
  const second = await chosen(first.kept);
  const seen = ({ ports: { listeners, health, replicas } }: typeof first) => ({
    listeners,
    health,
    replicas: replicas.map((replica) => ({ listeners: replica.listeners, health: replica.health })),
  });
  expect(seen(second)).toEqual(seen(first));
  expect([second.kept, second.said]).toEqual([first.kept, []]);
});

test('ports of the start before that lie in the block of this start are given to nobody else', async () => {
  let own = await freePort();
  // The rest of the block has room for all ports.
  while ((own - 10_000) % 64 > 8) own = await freePort();
  const keys = Object.keys((await chosen({})).kept).filter((key) => key.endsWith('.health'));
  const next = (await freePort()) + 1;
  const second = await chosen(Object.fromEntries(keys.map((key, index) => [key, next + index])));
  const { http, listeners, grpc, health, replicas } = second.ports;
  const all = [
    http,
    ...Object.values(listeners),
    ...Object.values(grpc),
    ...Object.values(health),
    ...replicas.flatMap((replica) => [...Object.values(replica.listeners), replica.grpc, replica.health]),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(second.said).toEqual([]);
});

test('a port that another program has is reported, with its name and how to choose one; the next start has the old one again', async () => {
  const { kept } = await chosen({});
  const mqtt = await taken();
  const health = await taken();
  const before = { ...kept, mqtt, 'nodes.health': health };
  const second = await chosen(before);
  expect(second.ports.listeners.mqtt).not.toBe(mqtt);
  expect(second.said).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Port ${mqtt} of mqtt is in use by another program.*: it is ${second.ports.listeners.mqtt} until the next start, .* does not reach Catchment\\..* MQTT_PORT=<number> npm start$`,
      ),
    ),
    expect.stringMatching(`^Port ${health} of health and metrics of nodes .* NODES__HEALTH_PORT=<number> npm start$`),
  ]);
  expect(second.kept).toEqual(before);
  for (const other of others) other.close();
  expect((await chosen(second.kept)).ports.listeners.mqtt).toBe(mqtt);
});

test('a port that a setting names is taken and kept; one that is in use is refused', async () => {
  const port = await freePort();
  const first = await chosen({}, { env: { MQTT_PORT: String(port) } });
  expect([first.ports.listeners.mqtt, (await chosen(first.kept)).ports.listeners.mqtt]).toEqual([port, port]);
  await taken(port);
  await expect(chosen({}, { env: { MQTT_PORT: String(port) } })).rejects.toThrow(
    new RegExp(`^Port ${port} of mqtt \\(MQTT_PORT\\) is in use by another program.*MQTT_PORT=\\d+`),
  );
});

test('at the first start a usual port that is in use is reported, and the other one is kept', async () => {
  const http = await taken();
  const first = await chosen({}, { usual: true, http });
  const port = first.ports.http;
  expect(first.said).toContainEqual(
    expect.stringMatching(`^Port ${http} of the HTTP API .*: it is ${port} from now on`),
  );
  expect((await chosen(first.kept, { usual: true, http })).ports.http).toBe(port);
  await expect(chosen(first.kept, { usual: true, http, httpIsFixed: true })).rejects.toThrow(`Port ${http} is in use`);
});
