import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const refused = (attribute: string, rule = '') => ({
  kind: 'invalid_argument',
  message: expect.stringMatching(new RegExp(`^${attribute}: .*${rule}`)),
});

async function site() {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const point = await api.create('point.NumberPoint', 'Air', source._id);
  const other = await api.create('Workspace', 'Other');
  const group = await api.create('Group', 'North', other._id);
  return { api, workspace, location, source, point, other, group };
}

test('a branch moves to another workspace: ids stay, everyone hears of path and workspace, the log names both paths', async () => {
  const { api, workspace, location, source, point, group, other } = await site();
  const before = f.published.changed.length;
  const moved = await api.move(location._id, { parentId: group._id });
  expect(moved).toMatchObject({ _id: location._id, parentId: group._id, workspaceId: other._id, name: 'Station' });
  for (const { _id } of [source, point]) expect((await api.get(_id)).workspaceId).toBe(other._id);
  const heard = () => f.published.changed.slice(before).filter(({ node }) => node.path.includes('/Other/North/'));
  await until(() => heard().length === 3);
  expect(
    heard()
      .map(({ node }) => [node.nodeId, node.workspaceId, node.sourceId])
      .sort(),
  ).toEqual(
    [
      [location._id, other._id, location._id],
      [source._id, other._id, source._id],
      [point._id, other._id, source._id],
    ].sort(),
  );
  await until(() => f.published.messagesOf(location._id).length === 2);
  expect(f.published.messagesOf(location._id)[1]).toBe(
    `Move node '${api.slug}/Site/Station' to '${api.slug}/Other/North/Station'`,
  );
  expect(f.published.messagesOf(source._id)).toEqual(["Created node 'Logger'"]);
  await api.remove(workspace._id);
  expect((await api.get(point._id))._id).toBe(point._id);
});

test('where a node is already nothing happens', async () => {
  const { api, workspace, location } = await site();
  const { revision } = await api.list();
  expect(await api.move(location._id, { parentId: workspace._id }, 'parentId')).toEqual({ parentId: workspace._id });
  expect((await api.list()).revision).toBe(revision);
});

test('a new parent may be named by its custom id', async () => {
  const { api, location, group } = await site();
  await api.update(group._id, { customId: 'north' });
  expect((await api.move(location._id, { parentId: '@north' })).parentId).toBe(group._id);
});

test('a place that does not fit is refused and nothing changes', async () => {
  const { api, workspace, location, source, point, other, group } = await site();
  const inner = await api.create('Group', 'Inner', location._id);
  const held = await api.create('Group', 'Held', other._id);
  await api.create('location.Location', 'Far', held._id);
  const before = (await api.list()).list;
  const cases: [nodeRef: string, body: unknown, expected: object][] = [
    [location._id, {}, refused('parentId', 'required')],
    [location._id, { parentId: null }, refused('parentId', 'required')],
    [location._id, { parentId: 5 }, refused('parentId', '24 hex')],
    [location._id, { parentId: 'x' }, refused('parentId', '24 hex')],
    [location._id, { parentId: 'f'.repeat(24) }, { kind: 'not_found' }],
    ['f'.repeat(24), { parentId: group._id }, { kind: 'not_found' }],
    [workspace._id, { parentId: other._id }, refused('id', 'Workspace')],
    [point._id, { parentId: source._id }, {}],
    [point._id, { parentId: group._id }, refused('id', 'parameter')],
    [source._id, { parentId: group._id }, refused('parentId', 'outside a Location')],
    [location._id, { parentId: location._id }, refused('parentId', 'below')],
    [location._id, { parentId: inner._id }, refused('parentId', 'below')],
    // Nodes deep in the branch must fit too: a Location inside a Location, a source outside of one.
    [held._id, { parentId: location._id }, refused('parentId', 'location')],
  ];
  for (const [nodeRef, body, expected] of cases) {
    const tried = api.move(nodeRef, body);
    if (Object.keys(expected).length > 0) await expect(tried).rejects.toMatchObject(expected);
    else await tried;
  }
  const kept = await api.create('Group', 'Kept', location._id);
  await api.create('source.data.Jts', 'S', kept._id);
  await expect(api.move(kept._id, { parentId: group._id })).rejects.toMatchObject(refused('parentId'));
  await api.remove(kept._id);
  expect((await api.list()).list).toEqual(before);
});

test('names stay unique among siblings', async () => {
  const { api, location, group } = await site();
  await api.create('location.Location', 'STATION', group._id);
  await expect(api.move(location._id, { parentId: group._id })).rejects.toMatchObject(refused('name', 'unique'));
  expect((await api.get(location._id)).parentId).not.toBe(group._id);
});

test('sources that share a device stay in one workspace', async () => {
  const { api, location, group } = await site();
  const device = { transport: { _class: 'io.svc.models.node.transport.Scout', deviceId: '356938035643809' } };
  const created = await api.create('source.data.Jts', 'One', location._id, device);
  const second = await api.create('location.Location', 'Second', location.parentId as string);
  const two = await api.create('source.data.Jts', 'Two', second._id, device);
  await expect(api.move(location._id, { parentId: group._id })).rejects.toMatchObject(refused('parentId', 'device'));
  await api.move(two._id, { parentId: location._id });
  expect((await api.move(location._id, { parentId: group._id })).parentId).toBe(group._id);
  expect((await api.get(created._id)).workspaceId).toBe((await api.get(two._id)).workspaceId);
});

test('keys: READ_ONLY, limited on either side, another account', async () => {
  const { api, workspace, location, other, group } = await site();
  const stranger = await f.account();
  const denied = { kind: 'permission_denied' };
  const reader = await f.as({ ...api.caller, permission: 'READ_ONLY' });
  await expect(reader.move(location._id, { parentId: group._id })).rejects.toMatchObject(denied);
  for (const workspaceIds of [[workspace._id], [other._id]]) {
    const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds });
    await expect(limited.move(location._id, { parentId: group._id })).rejects.toMatchObject(denied);
  }
  const theirs = await stranger.create('Workspace', 'Theirs');
  await expect(stranger.move(location._id, { parentId: theirs._id })).rejects.toMatchObject({ kind: 'not_found' });
  await expect(api.move(location._id, { parentId: theirs._id })).rejects.toMatchObject({ kind: 'not_found' });
  expect((await api.get(location._id)).parentId).toBe(workspace._id);
});

test('a branch of more than one batch is announced whole', async () => {
  const { api, location, source, group } = await site();
  for (const name of ['A', 'B']) {
    const { _id } = await api.create('source.data.Jts', name, location._id);
    await api.ensure(
      _id,
      Array.from({ length: 400 }, (_, i) => ({ name: `p${i}` })),
    );
  }
  const before = f.published.changed.length;
  await api.move(location._id, { parentId: group._id });
  const heard = () =>
    f.published.changed.slice(before).filter(({ node }) => node.path.startsWith(`${api.slug}/Other/North/Station`));
  await until(() => heard().length === 805);
  expect(new Set(heard().map(({ node }) => node.workspaceId)).size).toBe(1);
  expect((await api.get(source._id)).parentId).toBe(location._id);
});

describe('what a rename or a move breaks is named in the answer', () => {
  type Warned = {
    readonly warnings?: readonly { readonly nodeId?: string; readonly path?: string; readonly message: string }[];
  };
  const warned = (answer: unknown) =>
    ((answer as Warned).warnings ?? []).map(({ path, message }) => `${path}: ${message}`);

  /** Makes a site with programs that name its parameter Air in every way, and a dashboard, a chart and a rating that link it by id. */
  async function dependents() {
    const made = await site();
    const { api, workspace, location, point } = made;
    const second = await api.create('source.data.Jts', 'Second', location._id);
    const program = (name: string, code: string) =>
      api.create('point.NumberProcessPoint', name, second._id, { process: { code } });
    await program('Relative', "return NUMBER('../Logger/Air')");
    await program('Absolute', "return NUMBER('/Site/Station/Logger/Air;TOTAL;D;1D')");
    await program('Pattern', "return NODES('../Logger/a.*').length");
    await program('By id', `return NUMBER('{${point._id}}')`);
    await program('Lost before', "return NUMBER('../Logger/Water')");
    await program('Other', "return NUMBER('Elsewhere') + 'Airs'.length");
    const link = { nodeId: point._id, name: 'Air' };
    await api.create('chart.HistoricChart', 'Year', workspace._id, { links: [link] });
    const tile = { type: 'VALUE', x: 0, y: 0, w: 4, h: 4, links: [link] };
    await api.create('Dashboard', 'Wall', workspace._id, { tiles: [tile] });
    return { ...made, second };
  }

  const GONE = (path: string) => `the program's path '${path}' leads to no node any more`;

  test('a renamed node: paths and patterns of programs, whatever attributes are asked for', async () => {
    const { api, point } = await dependents();
    const renamed = await api.update(point._id, { name: 'Wind' }, 'name');
    expect(renamed.name).toBe('Wind');
    expect(warned(renamed).sort()).toEqual([
      `Site/Station/Second/Absolute: ${GONE('/Site/Station/Logger/Air')}`,
      `Site/Station/Second/Pattern: ${GONE('../Logger/a.*')}`,
      `Site/Station/Second/Relative: ${GONE('../Logger/Air')}`,
    ]);
    expect(await api.get(point._id)).not.toHaveProperty('warnings');
  });

  test.each([
    ['in letter case alone', { name: 'AIR' }],
    ['of something else', { units: 'm' }],
  ])('a change %s breaks nothing', async (_what, change) => {
    const { api, point } = await dependents();
    expect(await api.update(point._id, change)).not.toHaveProperty('warnings');
  });

  test('a customId that is taken away or changed', async () => {
    const { api, point, second } = await dependents();
    await api.update(point._id, { customId: 'air' });
    const code = "return NUMBER('{@air}')";
    await api.create('point.NumberProcessPoint', 'By customId', second._id, { process: { code } });
    expect(warned(await api.update(point._id, { customId: 'breeze' }))).toEqual([
      `Site/Station/Second/By customId: ${GONE('{@air}')}`,
    ]);
    expect(await api.update(point._id, { customId: 'air' })).not.toHaveProperty('warnings');
    expect(warned(await api.update(point._id, { customId: null }))).toHaveLength(1);
  });

  test('a Workspace that is renamed breaks absolute paths, a source relative ones', async () => {
    const { api, workspace, source } = await dependents();
    expect(warned(await api.update(workspace._id, { name: 'Place' }))).toEqual([
      `Place/Station/Second/Absolute: ${GONE('/Site/Station/Logger/Air')}`,
    ]);
    expect(warned(await api.update(source._id, { name: 'Box' })).sort()).toEqual([
      `Place/Station/Second/Pattern: ${GONE('../Logger/a.*')}`,
      `Place/Station/Second/Relative: ${GONE('../Logger/Air')}`,
    ]);
  });

  test('a branch that leaves its Workspace: absolute paths, and links across', async () => {
    const { api, location, group } = await dependents();
    expect(warned(await api.move(location._id, { parentId: group._id })).sort()).toEqual([
      `Other/North/Station/Second/Absolute: ${GONE('/Site/Station/Logger/Air')}`,
      "Site/Wall: a link of the dashboard, 'Air', lies in another Workspace now",
      "Site/Year: a link of the chart, 'Air', lies in another Workspace now",
    ]);
  });

  test('a source that leaves alone: programs by id too, and those that come along are looked at', async () => {
    const { api, source, second, other } = await dependents();
    const far = await api.create('location.Location', 'Far', other._id);
    const moved = warned(await api.move(source._id, { parentId: far._id }));
    expect(moved.filter((message) => message.includes('By id'))).toHaveLength(1);
    expect(moved).toHaveLength(6);
    // Now they lie together again, so relative paths lead on; the program by id finds its node again.
    expect(warned(await api.move(second._id, { parentId: far._id }))).toEqual([]);
  });

  test('nodes that the caller does not see are not named, nor those of other accounts', async () => {
    const { api, workspace, point } = await dependents();
    const elsewhere = await api.create('Workspace', 'Second site');
    await api.create('location.Location', 'Station', elsewhere._id);
    const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspace._id] });
    const stranger = await dependents();
    const paths = warned(await limited.update(point._id, { name: 'Wind' }));
    expect(paths).toHaveLength(3);
    expect(warned(await stranger.api.update(stranger.point._id, { name: 'Wind' }))).toHaveLength(3);
  });

  test('a node of a template that is renamed: programs of the template and of its instances', async () => {
    const api = await f.account();
    const templates = await api.create('Templates', 'Templates');
    const template = await api.create('location.Location', 'Gauge', templates._id);
    const source = await api.create('source.data.Jts', 'Logger', template._id);
    const level = await api.create('point.NumberPoint', 'Level', source._id);
    await api.create('point.NumberProcessPoint', 'Twice', source._id, {
      process: { code: "return NUMBER('Level') * 2" },
    });
    const workspace = await api.create('Workspace', 'Rivers');
    await api.clone(template._id, { parentId: workspace._id, name: 'Bridge' });
    expect(warned(await api.update(level._id, { name: 'Stage' })).sort()).toEqual([
      `Rivers/Bridge/Logger/Twice: ${GONE('Level')}`,
      `Templates/Gauge/Logger/Twice: ${GONE('Level')}`,
    ]);
  });
});
