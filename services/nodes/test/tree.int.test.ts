import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const refused = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringContaining(`${attribute}: `),
});

test('a tree is created, listed and renamed; what lies below hears of its new path', async () => {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const point = await api.create('point.NumberPoint', 'Air', source._id, { units: '°C', multiplier: 2 });
  expect(workspace).not.toHaveProperty('parentId');
  expect(workspace).not.toHaveProperty('workspaceId');
  expect(point).toMatchObject({
    _class: 'io.svc.models.node.point.NumberPoint',
    parentId: source._id,
    workspaceId: workspace._id,
    ownerId: api.ownerId,
    units: '°C',
    multiplier: 2,
    format: '0.###',
    createdTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect((await api.list()).list.map(({ _id }) => _id)).toEqual(
    [workspace, location, source, point].map(({ _id }) => _id),
  );

  await api.update(workspace._id, { name: 'Other site' });
  const isPoint = ({ node }: { node: { nodeId: string } }) => node.nodeId === point._id;
  const moved = await until(() =>
    f.published.changed.find((announced) => isPoint(announced) && announced.node.path.includes('Other')),
  );
  expect(moved.node.path).toBe(`${api.slug}/Other site/Station/Logger/Air`);
  expect(moved.node.revision).toBeGreaterThan(f.published.changed.find(isPoint)!.node.revision);
  await until(() => f.published.messagesOf(workspace._id).length === 2);
  expect(f.published.messagesOf(workspace._id)).toEqual(["Created node 'Site'", "Rename node 'Site' to 'Other site'"]);
});

test('a deleted node takes all below it along, names it on the bus and in the log of its parent', async () => {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const point = await api.create('point.TextPoint', 'Log', source._id);
  const other = await api.create('location.Location', 'Far', workspace._id, { coordinateSourceId: source._id });
  await api.remove(location._id);
  const gone = await until(() => f.published.deleted.find(({ ownerId }) => ownerId === api.ownerId));
  expect(gone.nodes.map(({ nodeId }) => nodeId).sort()).toEqual([location._id, source._id, point._id].sort());
  expect(gone.nodes.find(({ nodeId }) => nodeId === point._id)).toMatchObject({
    sourceId: source._id,
    workspaceId: workspace._id,
  });
  await until(() => f.published.messagesOf(workspace._id).includes("Deleted node 'Station'"));
  await expect(api.remove(location._id)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(api.get(point._id)).rejects.toMatchObject({ kind: 'not_found' });
  expect(await api.get(other._id)).not.toHaveProperty('coordinateSourceId');
});

test('nodes of thousands are announced as deleted in bounded messages', async () => {
  const api = await f.account();
  const { workspace, location } = await f.source(api);
  for (let s = 0; s < 3; s += 1) {
    const source = await api.create('source.data.Jts', `S${s}`, location._id);
    await api.ensure(
      source._id,
      Array.from({ length: 400 }, (_, i) => ({ name: `p${i}` })),
    );
  }
  await api.remove(workspace._id);
  const count = () =>
    f.published.deleted.filter(({ ownerId }) => ownerId === api.ownerId).map(({ nodes }) => nodes.length);
  await until(() => count().reduce((sum, n) => sum + n, 0) === 1206);
  expect(Math.max(...count())).toBeLessThanOrEqual(500);
});

test('names are unique among siblings, letter case aside, and in the account for workspaces', async () => {
  const api = await f.account();
  const workspace = await api.create('Workspace', 'One');
  const two = await api.create('Workspace', 'Two');
  await expect(api.create('Workspace', 'ONE')).rejects.toMatchObject(refused('name'));
  await api.create('Group', 'A', workspace._id);
  await api.create('Group', 'A', two._id);
  await expect(api.create('Group', 'a', workspace._id)).rejects.toMatchObject(refused('name'));
  await expect(api.update(two._id, { name: 'one' })).rejects.toMatchObject(refused('name'));
  expect((await api.get(two._id)).name).toBe('Two');
});

test('a custom id names the node wherever an id does, and is unique in its account only', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const site = await api.create('Workspace', 'Site', undefined, { customId: '@site_1' });
  expect(site.customId).toBe('site_1');
  const group = await api.create('Group', 'G', '@site_1');
  expect(group.parentId).toBe(site._id);
  expect((await api.get('@site_1'))._id).toBe(site._id);
  await expect(api.update(group._id, { customId: 'site_1' })).rejects.toMatchObject(refused('customId'));
  expect((await other.create('Workspace', 'Mine', undefined, { customId: 'site_1' })).customId).toBe('site_1');
  expect(await api.update('@site_1', { customId: null })).not.toHaveProperty('customId');
  await expect(api.get('@site_1')).rejects.toMatchObject({ kind: 'not_found' });
});

test.each([
  ['an unknown class', { _class: 'io.svc.models.node.Pigeon', name: 'D' }, '_class'],
  ['another prefix', { _class: 'com.other.models.node.Group', name: 'D' }, '_class'],
  ['no class', { name: 'D' }, '_class'],
  ['no name', { _class: 'io.svc.models.node.Workspace' }, 'name'],
  ['no parent', { _class: 'io.svc.models.node.Group', name: 'G' }, 'parentId'],
  ['a malformed parent', { _class: 'io.svc.models.node.Group', name: 'G', parentId: 'x' }, 'parentId'],
])('%s is refused and named', async (_what, body, attribute) => {
  const api = await f.account();
  const request = { body: Buffer.from(JSON.stringify(body)) };
  await expect(f.nodes.createNode(request, api.options)).rejects.toMatchObject(refused(attribute));
  expect((await api.list()).list).toEqual([]);
});

test.each(['', '{', '[]', '"x"', '\xff'])('a body %j is refused', async (text) => {
  const api = await f.account();
  const request = { body: Buffer.from(text, 'latin1') };
  await expect(f.nodes.createNode(request, api.options)).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('a wrong parent is refused by the containment table, an unknown one is not found', async () => {
  const api = await f.account();
  const { workspace, source } = await f.source(api);
  await expect(api.create('source.data.Jts', 'S', workspace._id)).rejects.toMatchObject(refused('parentId'));
  await expect(api.create('Group', 'G', source._id)).rejects.toMatchObject(refused('parentId'));
  await expect(api.create('Group', 'G', 'f'.repeat(24))).rejects.toMatchObject({ kind: 'not_found' });
});

test('an update is atomic: one wrong attribute changes nothing and makes no event', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const before = await api.get(source._id);
  await expect(api.update(source._id, { name: 'New', timezone: 'Nowhere' })).rejects.toMatchObject(refused('timezone'));
  expect(await api.get(source._id)).toEqual(before);
  await api.update(source._id, { currentStatus: 'FAILED', parentId: 'x', nonsense: true });
  await api.update(source._id, { isEnabled: false, timezone: 'Asia/Tokyo' });
  await until(() => f.published.messagesOf(source._id).length === 3);
  expect(f.published.messagesOf(source._id)).toEqual(["Created node 'Logger'", 'Source disabled', 'Updated timezone']);
  expect(await api.get(source._id)).toMatchObject({ currentStatus: 'DISABLED', timezone: 'Asia/Tokyo' });
});

test('updates of different attributes at once all end up stored', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const changes = [
    { timezone: 'Asia/Tokyo' },
    { clockSync: true },
    { quietMaxSeconds: 300 },
    { customId: 'x' },
    { name: 'N' },
    { retryAttempts: 1 },
  ];
  await Promise.all(changes.map((change) => api.update(source._id, change)));
  expect(await api.get(source._id)).toMatchObject(Object.assign({}, ...changes));
});

test('a node shows what its class has: states, chart, alarms, transport', async () => {
  const api = await f.account();
  const { location, source } = await f.source(api);
  const [number, text, time] = await Promise.all(
    ['Number', 'Text', 'Time'].map((kind) => api.create(`point.${kind}Point`, kind, source._id)),
  );
  expect(number).toMatchObject({ statesType: 'RANGE', states: [{ name: 'NORMAL', index: 0 }], hysteresis: 0 });
  expect(text).toMatchObject({ statesType: 'DISCRETE', states: [] });
  expect(time).not.toHaveProperty('states');
  expect(number!.chart).toMatchObject({
    _class: 'io.svc.models.node.point.chart.LineChart',
    lineWidth: 2,
    aggregation: { type: 'INTERPOLATED' },
  });
  expect(Object.keys(number!.alarms as object)).toEqual(['qualityAlarm', 'stateAlarm']);
  expect(number!.alarms).toMatchObject({
    stateAlarm: { _class: 'io.svc.models.node.alarm.StateAlarm', status: { alarmState: 'CLEARED' } },
  });
  expect((number!.alarms as { stateAlarm: object }).stateAlarm).not.toHaveProperty('config');
  expect(location).toMatchObject({
    displayType: 'VALUE',
    statesType: 'RANGE',
    states: [{ threshold: { _class: 'io.svc.util.geo.GeoPoint' } }],
  });
  expect(source).toMatchObject({
    currentStatus: 'IDLE',
    transport: { _class: 'io.svc.models.node.transport.None' },
    totalCommsAttempt: 0,
    alarms: {
      outdatedAlarm: { config: { isEnabled: false }, status: { alarmState: 'CLEARED', dataTime: source.createdTime } },
    },
  });
  expect(await api.get(source._id, '_id,alarms.outdatedAlarm.status.alarmState')).toEqual({
    _id: source._id,
    alarms: { outdatedAlarm: { status: { alarmState: 'CLEARED' } } },
  });
});

test('states are changed by id and reach the other services', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const point = await api.create('point.NumberPoint', 'P', source._id);
  const made = await api.update(point._id, {
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }],
    hysteresis: 1,
  });
  const high = (made.states as { _id: string }[])[1]!;
  const changed = await api.update(point._id, {
    states: [
      { _id: high._id, threshold: 7 },
      { name: 'ignored', threshold: 9 },
    ],
  });
  expect(changed.states).toMatchObject([
    { name: 'NORMAL' },
    { _id: high._id, _class: 'io.svc.models.node.point.PointState', threshold: 7 },
  ]);
  const heard = await until(() =>
    f.published.changed.find(({ node }) => node.nodeId === point._id && node.series?.states[1]?.threshold === 7),
  );
  expect(heard.node.series).toMatchObject({ hysteresis: 1, statesType: 'RANGE', writable: true });
  expect((await api.update(point._id, { states: null })).states).toMatchObject([{ name: 'NORMAL' }]);
});

test('sources that share a device lie in one workspace, and devices can be asked for all of them', async () => {
  const api = await f.account();
  const transport = { _class: 'io.svc.models.node.transport.Scout', deviceId: '353358017784062' };
  const { source, location } = await f.source(api, { transport, scheduleType: 'REMOTE' });
  expect(source).toMatchObject({ transport, currentStatus: 'SCHEDULED' });
  await api.create('source.data.TextParser', 'Second', location._id, { transport });
  const elsewhere = await api.create('Workspace', 'Elsewhere');
  const there = await api.create('location.Location', 'There', elsewhere._id);
  await expect(api.create('source.data.TextParser', 'Third', there._id, { transport })).rejects.toMatchObject(
    refused('transport.deviceId'),
  );
  const found = [];
  for await (const node of f.nodes.listDeviceSources({}, f.service))
    if (node.ownerId === api.caller.ownerId) found.push(node);
  // The order is open: both may be of the same millisecond.
  expect(found.map(({ name, source }) => [name, source?.deviceKey]).toSorted()).toEqual([
    ['Logger', transport.deviceId],
    ['Second', transport.deviceId],
  ]);
});

test('what device another account names makes no difference', async () => {
  const transport = { _class: 'io.svc.models.node.transport.Scout', deviceId: '353358017784070' };
  const [first, second] = [await f.account(), await f.account()];
  const { source: known } = await f.source(first, { transport });
  const { source, workspace } = await f.source(second);
  expect((await second.update(source._id, { transport })).transport).toEqual(transport);
  const location = await second.create('location.Location', 'Second', workspace._id);
  const made = await second.create('source.data.Jts', 'Logger', location._id, { transport });
  expect(made.transport).toEqual(transport);
  await second.remove(source._id);
  const elsewhere = await second.create('Workspace', 'Elsewhere');
  expect((await second.move(location._id, { parentId: elsewhere._id })).parentId).toBe(elsewhere._id);
  expect((await first.get(known._id)).transport).toEqual(transport);
});
