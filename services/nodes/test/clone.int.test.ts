import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const refused = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringMatching(new RegExp(`^${attribute}: `)),
});
const denied = { kind: 'permission_denied' };

async function site() {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
  const point = await api.create('point.NumberPoint', 'Air', source._id, { units: '°C', states, series: 'air' });
  await api.update(location._id, {
    coordinateSourceId: source._id,
    customId: 'station',
    metadata: [
      { name: 'Site ID', value: 7 },
      { name: 'River', value: 'Aare' },
    ],
  });
  await api.update(point._id, { isPublic: true, customId: 'air' });
  return { api, workspace, location, source, point };
}

test('a Location is copied with all below it: configuration, inner references, nothing of the original’s own', async () => {
  const { api, workspace, location, source, point } = await site();
  const body = { parentId: workspace._id, metadata: [{ name: 'River', value: 'Rhine' }] };
  const [root, logger, air, ...more] = await api.clone(location._id, body);
  expect(more).toEqual([]);
  expect(root).toMatchObject({
    _class: location._class,
    name: 'Station (2)',
    parentId: workspace._id,
    workspaceId: workspace._id,
    coordinateSourceId: logger!._id,
    metadata: [
      { name: 'Site ID', value: 7 },
      { name: 'River', value: 'Rhine' },
    ],
  });
  expect(logger).toMatchObject({ name: 'Logger', parentId: root!._id, totalCommsAttempt: 0 });
  expect(air).toMatchObject({ name: 'Air', parentId: logger!._id, units: '°C', series: 'air', isPublic: false });
  for (const node of [root, air]) expect(node).not.toHaveProperty('customId');
  expect(air).not.toHaveProperty('publicId');
  const ids = [location, source, point, root, logger, air].map((node) => node!._id);
  expect(new Set(ids).size).toBe(6);
  const original = await api.get(point._id);
  const stateIds = (node: Record<string, unknown>) => (node.states as { _id: string }[]).map(({ _id }) => _id);
  const withoutIds = (node: Record<string, unknown>) =>
    (node.states as { _id: string }[]).map(({ _id, ...state }) => state);
  expect(withoutIds(air!)).toEqual(withoutIds(original));
  expect(stateIds(air!).filter((id) => stateIds(original).includes(id))).toEqual([]);
  // Lists show permissions where they are asked for them.
  const { permissions: _permissions, ...shown } = await api.get(root!._id);
  expect(shown).toEqual(root);
  await until(() => f.published.messagesOf(air!._id).length === 1);
  expect(f.published.messagesOf(root!._id)).toEqual(["Created node 'Station (2)'"]);
  expect(f.published.messagesOf(air!._id)).toEqual(["Created node 'Air'"]);
  await until(() => f.published.changed.filter(({ node }) => node.path.includes('Station (2)')).length === 3);
});

test('TREE answers one root, attr selects, LIST is depth first with the root first', async () => {
  const { api, workspace, location } = await site();
  const group = await api.create('Group', 'A', location._id);
  await api.create('source.data.Jts', 'Z', group._id);
  const parentId = workspace._id;
  expect(await api.clone(location._id, { parentId, name: 'New' }, { type: 'tree', attr: 'name' })).toEqual([
    {
      name: 'New',
      children: [
        { name: 'A', children: [{ name: 'Z', children: [] }] },
        { name: 'Logger', children: [{ name: 'Air', children: [] }] },
      ],
    },
  ]);
  const list = await api.clone(location._id, { parentId, name: 'Newer' }, { attr: 'name' });
  expect(list.map(({ name }) => name)).toEqual(['Newer', 'A', 'Z', 'Logger', 'Air']);
});

test('a Workspace is copied whole, its parentId ignored; a limited key may not', async () => {
  const { api, workspace, location } = await site();
  const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspace._id] });
  await expect(limited.clone(workspace._id, {})).rejects.toMatchObject(denied);
  const [root, ...rest] = await api.clone(workspace._id, { parentId: 'nonsense' });
  expect(root).toMatchObject({ name: 'Site (2)' });
  expect(root).not.toHaveProperty('parentId');
  expect(rest.map((node) => node.workspaceId)).toEqual(rest.map(() => root!._id));
  expect((await limited.clone(location._id, { parentId: workspace._id }))[0]!.workspaceId).toBe(workspace._id);
  await expect(limited.clone(location._id, { parentId: root!._id })).rejects.toMatchObject(denied);
});

test('references out of the branch: kept in the workspace, found by their relative path elsewhere, else left out', async () => {
  const { api, workspace, location, source } = await site();
  const far = await api.create('location.Location', 'Far', workspace._id, { coordinateSourceId: source._id });
  const [near] = await api.clone(far._id, { parentId: workspace._id });
  expect(near!.coordinateSourceId).toBe(source._id);
  const other = await api.create('Workspace', 'Other');
  const [lost] = await api.clone(far._id, { parentId: other._id });
  expect(lost).not.toHaveProperty('coordinateSourceId');
  const [, logger] = await api.clone(location._id, { parentId: other._id });
  const [found] = await api.clone(far._id, { parentId: other._id });
  expect(found).toMatchObject({ name: 'Far (2)', coordinateSourceId: logger!._id });
});

test('a parameter is copied within its source without the key of the original, a copied source has no device', async () => {
  const { api, location, source, point } = await site();
  const [copy] = await api.clone(point._id, { parentId: source._id });
  expect(copy).toMatchObject({ name: 'Air (2)', units: '°C' });
  expect(copy).not.toHaveProperty('series');
  await api.update(source._id, {
    transport: { _class: 'io.svc.models.node.transport.Scout', deviceId: '356938035643700' },
  });
  const [logger] = await api.clone(source._id, { parentId: location._id });
  expect(logger).toMatchObject({
    isEnabled: false,
    transport: { _class: 'io.svc.models.node.transport.Scout' },
  });
  expect(logger!.transport).not.toHaveProperty('deviceId');
});

test('a push transport gets a key of its own, its secret stays and is shown to nobody', async () => {
  const { api, location, source } = await site();
  const transport = { _class: 'io.svc.models.node.transport.FtpUpload', password: 'hunter2-hunter2' };
  const before = (await api.update(source._id, { transport })).transport as Record<string, unknown>;
  expect(before).toMatchObject({
    password: '********',
    ipWhitelist: [],
    key: expect.stringMatching(/^[a-z]+-[a-z]+-[a-z]+$/),
  });
  const [logger] = await api.clone(source._id, { parentId: location._id });
  const after = logger!.transport as Record<string, unknown>;
  expect(after).toMatchObject({ password: '********', key: expect.stringMatching(/^[a-z]+-[a-z]+-[a-z]+$/) });
  expect(after.key).not.toBe(before.key);
  const { rows } = await f.database.query<{ password: string }>(
    `SELECT config -> 'transport' ->> 'password' AS password FROM nodes WHERE node_id = $1`,
    [logger!._id],
  );
  expect(rows[0]?.password).toBe('hunter2-hunter2');
});

test('what is wrong is refused and nothing is made', async () => {
  const { api, workspace, location, source, point } = await site();
  const inner = await api.create('Group', 'Inner', location._id);
  const stranger = await f.account();
  const theirs = await stranger.create('Workspace', 'Theirs');
  const before = (await api.list()).list;
  const parentId = workspace._id;
  const long = Array.from({ length: 99 }, (_, i) => ({ name: `n${i}`, value: 1 }));
  const cases: [nodeRef: string, body: object, expected: object][] = [
    [location._id, {}, refused('parentId')],
    [location._id, { parentId: 5 }, refused('parentId')],
    [location._id, { parentId: source._id }, refused('parentId')],
    [location._id, { parentId: location._id }, refused('parentId')],
    [location._id, { parentId: inner._id }, refused('parentId')],
    [source._id, { parentId }, refused('parentId')],
    [point._id, { parentId: location._id }, refused('parentId')],
    [location._id, { parentId, name: 'STATION' }, refused('name')],
    [location._id, { parentId, name: 'a/b' }, refused('name')],
    [location._id, { parentId, name: 5 }, refused('name')],
    [location._id, { parentId, metadata: {} }, refused('metadata')],
    [location._id, { parentId, metadata: [{ name: 'a' }] }, refused('metadata\\[0\\].value')],
    [location._id, { parentId, metadata: long }, refused('metadata')],
    [location._id, { parentId: theirs._id }, { kind: 'not_found' }],
    ['@nobody', { parentId }, { kind: 'not_found' }],
  ];
  for (const [nodeRef, body, expected] of cases) await expect(api.clone(nodeRef, body)).rejects.toMatchObject(expected);
  await expect(api.clone(location._id, { parentId }, { type: 'BUSH' })).rejects.toMatchObject(refused('type'));
  await expect(stranger.clone(location._id, { parentId: theirs._id })).rejects.toMatchObject({ kind: 'not_found' });
  const reader = await f.as({ ...api.caller, permission: 'READ_ONLY' });
  await expect(reader.clone(location._id, { parentId })).rejects.toMatchObject(denied);
  await f.database.query(`UPDATE owners SET account_type = 'TRIAL' WHERE owner_id = $1`, [api.ownerId]);
  await expect(api.clone(location._id, { parentId })).rejects.toMatchObject(denied);
  expect((await api.list()).list).toEqual(before);
});

test('thousands of nodes are copied at once, more than 5000 are too many', async () => {
  const { api, workspace, location } = await site();
  const fill = async (sources: number) => {
    for (let s = 0; s < sources; s += 1) {
      const { _id } = await api.create('source.data.Jts', `S${crypto.randomUUID().slice(0, 8)}`, location._id);
      await api.ensure(
        _id,
        Array.from({ length: 499 }, (_, i) => ({ name: `p${i}` })),
      );
    }
  };
  await fill(3);
  const list = await api.clone(location._id, { parentId: workspace._id }, { attr: '_id,parentId' });
  expect(list).toHaveLength(1503);
  const ids = new Set(list.map(({ _id }) => _id));
  expect(list.slice(1).every((node) => ids.has(node.parentId as string))).toBe(true);
  await fill(7);
  await expect(api.clone(location._id, { parentId: workspace._id })).rejects.toMatchObject({ kind: 'too_large' });
});
