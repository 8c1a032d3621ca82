// Messages of MQTT are acknowledged when nothing can be lost any more (docs/reference/acquisition.md#mqtt): sent = stored, none twice, while
// what is needed dies.
import { until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, runCatchment } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const STATIONS = 3;
const MESSAGES = 120;

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await borrowInstallation('spread');
  api = installation.api;
});
afterAll(() => installation?.stop());

/** Makes a source that receives by MQTT, with the key that it was given. */
async function source(parentId: string, name: string): Promise<{ id: string; key: string }> {
  const transport = { _class: `${MODEL}.transport.Mqtt`, authentication: 'CONNECT', password: 'of the test' };
  const { _id: id } = await api.create({ _class: `${MODEL}.source.data.Jts`, name, parentId, transport });
  const { json } = await api.get(`/nodes/${id}`);
  return { id, key: json.transport.key };
}

async function timesOf(sourceId: string): Promise<string[]> {
  const { json } = await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,name`);
  const level = json.find(({ name }: { name: string }) => name === 'Tank Level');
  if (!level) return [];
  const read = await api.get(`/nodes/${level._id}/historic?startTime=2000-01-01T00:00:00Z&limit=1000`);
  return (read.json.data ?? []).map(({ ts }: { ts: string }) => ts);
}

/** Messages that a process had in hand when the broker was killed come again after up to two minutes. */
const IN_HAND_LIMIT_MS = 300_000;

test('stations lose and double nothing while broker and devices are killed and their connections break', async () => {
  const { locationId } = await api.createSite();
  const sources = [];
  for (let n = 0; n < STATIONS; n += 1) sources.push(await source(locationId, `Station ${n}`));
  const port = String(await installation.listener('mqtt'));
  const simulation = runCatchment([
    'simulate',
    'mqtt',
    '--port',
    port,
    '--password',
    'of the test',
    '--quiet',
    ...sources.flatMap(({ key }) => ['--key', key]),
    '--stations',
    String(STATIONS),
    '--messages',
    String(MESSAGES),
    '--interval',
    '50',
    '--drops',
    '3',
    '--duplicates',
    '5',
  ]);
  const [first] = sources;
  await until(async () => (await timesOf(first?.id ?? '')).length > 10);
  await installation.kill('nats');
  await installation.kill('devices');
  const { code, output } = await simulation;
  expect(output).toMatch(/^360 messages sent, 360 acknowledged, \d+ repeated, 0 refused/m);
  expect(code).toBe(0);
  for (const { id } of sources) {
    await until(async () => (await timesOf(id)).length >= MESSAGES, { what: 'all are stored' });
    const times = await timesOf(id);
    expect(times).toHaveLength(MESSAGES);
    expect(new Set(times).size).toBe(MESSAGES);
    // Each message is a push, whatever it was joined with; it is counted after its records can be read.
    await until(async () => (await api.get(`/nodes/${id}`)).json.totalCommsSuccess >= MESSAGES, {
      what: `all of ${id} are counted`,
      deadlineMs: IN_HAND_LIMIT_MS,
    });
  }
});
