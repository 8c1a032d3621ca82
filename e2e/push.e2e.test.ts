// Clients see streams of events and nodes: nothing is missed and nothing comes twice, whatever is killed meanwhile, and nothing is sent to
// whom it is not for (docs/reference/events.md#streams).
import { amount, until } from '@catchment/testkit';
import { type Api, MODEL, unique } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';
import { Follower, openStream } from './src/stream-follower.ts';

const KILLED = (['gateway', 'events', 'nats', 'nodes'] as const).slice(0, amount(1, 4));

let installation: Installation;
let api: Api;
let pointId: string;
let workspaceId: string;
beforeAll(async () => {
  installation = await borrowInstallation('spread');
  api = installation.api;
  const site = await api.createSite();
  workspaceId = site.workspaceId;
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: site.sourceId,
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 50, isAlarm: true }],
  });
  pointId = level._id;
});
afterAll(() => installation?.stop());

const open = (path: string, by: Api = api, lastId = '') => openStream(path, by, lastId);

// This test comes before the kills: a reader whose broker died has its messages again after its ack wait.
test('a value that crosses a threshold is an event and a changed node', async () => {
  expect((await api.put(`/nodes/${pointId}/historic/now`, { value: 10 })).status).toBe(202);
  await until(async () => (await api.get(`/nodes/${pointId}`)).json.currentValue === 10);
  const events = await open(
    `/events/stream?filter=${encodeURIComponent(`nodeId($eq:${pointId}),eventType($eq:STATE)`)}`,
  );
  const nodes = await open(
    `/nodes/stream?attr=_id,currentValue&filter=${encodeURIComponent('_class($match:.point.)')}`,
  );
  expect((await api.put(`/nodes/${pointId}/historic/now`, { value: 60 })).status).toBe(202);
  const [event] = await events.get(1);
  expect(event?.data).toMatchObject({ message: 'State changed from NORMAL to HIGH', nodeId: pointId });
  await until(() => nodes.messages.some(({ data }) => data._id === pointId && data.currentValue === 60));
  expect(event?.data).toEqual((await api.get(`/events?filter=_id($eq:${event?.data._id})`)).json[0]);
  for (const stream of [events, nodes]) stream.leave();
});

test('each event comes once and in order, and each node as it is at last, while processes are killed', async () => {
  const filter = `nodeId($eq:${pointId}),message($match:Note)`;
  const path = `/events/stream?attr=message&filter=${encodeURIComponent(filter)}`;
  const follower = await new Follower(path, api).begun();
  const nodes = await new Follower('/nodes/stream?attr=_id,customId', api).begun();
  const written: string[] = [];
  const write = async () => {
    const message = `Note ${written.length}`;
    await until(
      async () => (await api.post(`/nodes/${pointId}/events`, [{ message }]).catch(() => undefined))?.status === 202,
    );
    written.push(message);
  };
  const rename = (customId: string) =>
    until(async () => (await api.put(`/nodes/${pointId}`, { customId }).catch(() => undefined))?.status === 200);
  for (const name of KILLED) {
    for (let n = 0; n < 10; n += 1) await write();
    const killing = installation.kill(name);
    for (let n = 0; n < 10; n += 1) await write();
    await rename(`${name}-killed`);
    await killing;
  }
  for (let n = 0; n < 5; n += 1) await write();
  await rename('at-last');
  await until(() => nodes.messages().findLast(({ data }) => data._id === pointId)?.data.customId === 'at-last');
  await nodes.stop();
  // A write whose answer was lost was made again: the log may have it twice, and a stream has what the log has.
  const logged = async () => {
    const events = (await api.get(`/events?limit=10000&attr=message&filter=${encodeURIComponent(filter)}`)).json;
    return events.map(({ message }: { message: string }) => message);
  };
  await until(() => follower.seen().length >= written.length && follower.seen().includes(written.at(-1) ?? ''));
  const whole = await open(`${path}&lastEventId=0`);
  await whole.get((await logged()).length);
  await follower.stop();
  const streamed = whole.messages.map(({ data }) => data.message);
  whole.leave();
  expect(new Set(written).difference(new Set(streamed))).toEqual(new Set());
  expect([...streamed].sort()).toEqual((await logged()).sort());
  expect(follower.seen()).toEqual(streamed);
});

test('a gateway that is stopped says so to its clients, who go on where they were', async () => {
  const follower = await new Follower('/events/stream?attr=message', api).begun();
  process.kill((await installation.pids()).gateway ?? 0, 'SIGTERM');
  const message = unique('Note');
  await until(
    async () => (await api.post(`/nodes/${pointId}/events`, [{ message }]).catch(() => undefined))?.status === 202,
  );
  await until(() => follower.seen().includes(message));
  // A gateway that goes may still have sent it.
  await until(() => follower.ends.length > 0, { what: 'the end of the stream' });
  await follower.stop();
  expect(follower.ends[0]).toBe('STOPPING');
  expect(follower.seen().filter((seen) => seen === message)).toHaveLength(1);
});

test('another account, a key of another workspace and a revoked key hear of nothing', async () => {
  const other = await installation.otherAccount();
  const elsewhere = await api.create({ _class: `${MODEL}.Workspace`, name: unique('Elsewhere') });
  const keyOf = async (label: string, workspaces: readonly string[]) => {
    const body = { label, permission: 'READ_ONLY', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: workspaces };
    const { key, _id } = (await api.post('/owners/account/apikeys', body)).json;
    return { _id, api: Object.assign(Object.create(api) as Api, { key }) };
  };
  const [hidden, revoked] = [await keyOf('Hidden', [elsewhere._id]), await keyOf('Revoked', [workspaceId])];
  const streams = await Promise.all(
    [other, hidden.api, revoked.api].flatMap((by) => [open('/events/stream', by), open('/nodes/stream?attr=_id', by)]),
  );
  const [, , , , revokedEvents, revokedNodes] = streams;
  await until(() => streams.every(({ state }) => state.lastId !== ''));
  expect((await api.delete(`/owners/account/apikeys/${revoked._id}`)).status).toBe(200);
  await Promise.all([revokedEvents?.ended(), revokedNodes?.ended()]);
  const [own, ownNodes] = [await open('/events/stream?attr=message'), await open('/nodes/stream?attr=_id')];
  await until(() => ownNodes.state.lastId !== '');
  const message = unique('Note');
  await api.post(`/nodes/${pointId}/events`, [{ message }]);
  await api.put(`/nodes/${pointId}/historic/now`, { value: 1 });
  await until(() => own.messages.some(({ data }) => data.message === message));
  // The message has reached its stream by then.
  await until(() => ownNodes.messages.some(({ data }) => data._id === pointId));
  expect(streams.slice(0, 4).map(({ messages }) => messages)).toEqual([[], [], [], []]);
  for (const stream of [revokedEvents, revokedNodes])
    expect(stream?.messages.filter(({ event }) => event !== 'end')).toEqual([]);
  for (const stream of [...streams, own, ownNodes]) stream.leave();
});
