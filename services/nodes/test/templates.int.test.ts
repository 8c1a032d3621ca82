import { until } from '@catchment/testkit';
import { propagateDue } from '../src/templates/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

type Made = Awaited<ReturnType<typeof instanceOf>>;
type Api = Awaited<ReturnType<Fixture['account']>>;
const refused = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringMatching(new RegExp(`^${attribute}: `)),
});
const denied = { kind: 'permission_denied' };
const SCOUT = 'io.svc.models.node.transport.Scout';
const named = (nodes: readonly Json[], name: string): Json => nodes.find((node) => node.name === name)!;

/** Templates → Location «Station» → source «Logger» → parameters «Air» and «Wind»; a chart shows both; a Workspace is empty. */
async function station(api: Api) {
  const templates = await api.create('Templates', 'Templates');
  const template = await api.create('location.Location', 'Station', templates._id);
  const source = await api.create('source.data.Jts', 'Logger', template._id);
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
  const air = await api.create('point.NumberPoint', 'Air', source._id, { units: '°C', series: 'air', states });
  const wind = await api.create('point.NumberPoint', 'Wind', source._id, { units: 'm/s' });
  const links = [{ nodeId: air._id }, { nodeId: wind._id }];
  const chart = await api.create('chart.HistoricChart', 'Chart', template._id, { links });
  await api.update(template._id, { coordinateSourceId: source._id, metadata: [{ name: 'Model', value: 'X1' }] });
  const workspace = await api.create('Workspace', 'Site');
  return { templates, template, source, air, wind, chart, workspace };
}

const instanceOf = async (api: Api, template: Json, parentId: string, more: object = {}) => {
  const nodes = await api.clone(template._id, { parentId, ...more });
  const refresh = async () =>
    new Map(await Promise.all(nodes.map(async (n) => [n.name, await api.get(n._id)] as const)));
  return { root: nodes[0]!, nodes, of: (name: string) => named(nodes, name), refresh };
};
const links = (node: Json): unknown[] => (node.links as { nodeId: string }[]).map(({ nodeId }) => nodeId);
const stateIds = (node: Json): unknown[] => (node.states as { _id: string }[]).map(({ _id }) => _id);

describe('the root of the templates', () => {
  test('is one per account, holds Groups and Locations, has neither parent nor workspace', async () => {
    const api = await f.account();
    const root = await api.create('Templates', 'Templates');
    for (const absent of ['parentId', 'workspaceId', 'overrides']) expect(root).not.toHaveProperty(absent);
    await expect(api.create('Templates', 'More')).rejects.toMatchObject(refused('_class'));
    await expect(api.create('Templates', 'More', root._id)).rejects.toMatchObject(refused('parentId'));
    await expect(api.create('Dashboard', 'D', root._id)).rejects.toMatchObject(refused('parentId'));
    const group = await api.create('Group', 'G', root._id);
    expect(group).toMatchObject({ parentId: root._id, workspaceId: root._id });
    await api.create('location.Location', 'L', group._id);
    await expect(api.clone(root._id, {})).rejects.toMatchObject(refused('id'));
    await expect(api.remove(root._id)).rejects.toMatchObject(refused('id'));
    await expect(api.move(root._id, { parentId: group._id })).rejects.toMatchObject(refused('id'));
  });

  test('needs no name, and takes one that no workspace has', async () => {
    const api = await f.account();
    await api.create('Workspace', 'templates');
    expect(await api.create('Templates', undefined as never)).toMatchObject({ name: 'Templates (2)' });
  });

  test('of two made at once one is there', async () => {
    const api = await f.account();
    const outcomes = await Promise.allSettled(['A', 'B', 'C'].map((name) => api.create('Templates', name)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  test('is shown with all below it to keys of all workspaces, to limited ones not at all', async () => {
    const api = await f.account();
    const { template, templates, workspace } = await station(api);
    const workspaces = await f.as({ ...api.caller, accessLevel: 'WORKSPACES' });
    const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspace._id] });
    const names = async (of: Pick<Api, 'list'>) =>
      (await of.list({ attr: 'name' })).list.map(({ name }) => name).sort();
    expect(await names(workspaces)).toEqual(['Air', 'Chart', 'Logger', 'Site', 'Station', 'Templates', 'Wind']);
    expect(await names(limited)).toEqual(['Site']);
    expect((await api.list({ type: 'TREE', attr: 'name' })).list.map(({ name }) => name)).toEqual([
      'Site',
      'Templates',
    ]);
    for (const id of [templates._id, template._id]) await expect(limited.get(id)).rejects.toMatchObject(denied);
    await expect(limited.clone(template._id, { parentId: workspace._id })).rejects.toMatchObject(denied);
    const other = await f.as({ ...(await f.account()).caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] });
    await expect(other.create('Templates', 'T')).rejects.toMatchObject(denied);
  });

  test('goes with its account', async () => {
    const api = await f.account();
    const { template, workspace } = await station(api);
    await instanceOf(api, template, workspace._id);
    expect(await f.owners.deleteAccount({ account: api.ownerId }, f.service)).toMatchObject({ ownerId: api.ownerId });
    const { rows } = await f.database.query('SELECT 1 FROM templates WHERE owner_id = $1', [api.ownerId]);
    expect(rows).toEqual([]);
  });
});

describe('an instance', () => {
  test('is made by a clone: every node follows one of the template, references lie inside', async () => {
    const api = await f.account();
    const { template, source, air, wind, chart, workspace } = await station(api);
    const instance = await instanceOf(api, template, workspace._id, {
      name: 'North',
      metadata: [{ name: 'Site ID', value: 7 }],
    });
    expect(instance.root).toMatchObject({
      name: 'North',
      templateId: template._id,
      templateNodeId: template._id,
      coordinateSourceId: instance.of('Logger')._id,
      metadata: [
        { name: 'Model', value: 'X1' },
        { name: 'Site ID', value: 7 },
      ],
    });
    for (const [name, node] of Object.entries({ Logger: source, Air: air, Wind: wind, Chart: chart })) {
      expect(instance.of(name)).toMatchObject({ templateNodeId: node._id, workspaceId: workspace._id });
      expect(instance.of(name)).not.toHaveProperty('templateId');
    }
    expect(links(instance.of('Chart'))).toEqual([instance.of('Air')._id, instance.of('Wind')._id]);
    expect(stateIds(instance.of('Air'))).not.toEqual(stateIds(air));
    const found = await api.list({ filter: `templateId($eq:${template._id})`, attr: '_id' });
    expect(found.list).toEqual([{ _id: instance.root._id }]);
    const all = await api.list({ filter: `templateNodeId($eq:${air._id})`, attr: '_id' });
    expect(all.list).toEqual([{ _id: instance.of('Air')._id }]);
  });

  test('lies directly under a Workspace or a Group outside Locations', async () => {
    const api = await f.account();
    const { templates, template, workspace } = await station(api);
    const groupTemplate = await api.create('Group', 'Pages', templates._id);
    const group = await api.create('Group', 'G', workspace._id);
    const location = await api.create('location.Location', 'L', workspace._id);
    const inLocation = await api.create('Group', 'Inner', location._id);
    expect((await instanceOf(api, template, group._id)).root).toMatchObject({ parentId: group._id });
    for (const parentId of [location._id, inLocation._id])
      await expect(api.clone(groupTemplate._id, { parentId })).rejects.toMatchObject(refused('parentId'));
    const { root } = await instanceOf(api, groupTemplate, workspace._id);
    await expect(api.move(root._id, { parentId: location._id })).rejects.toMatchObject(refused('parentId'));
    expect(await api.move(root._id, { parentId: group._id })).toMatchObject({ parentId: group._id });
    await expect(api.move(group._id, { parentId: location._id })).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test.each<[what: string, name: string, body: object, attribute: string]>([
    ['a plain attribute', 'Air', { units: 'K' }, 'units'],
    ['states', 'Air', { states: [{ name: 'NORMAL' }] }, 'states'],
    ['hysteresis', 'Air', { hysteresis: 1 }, 'hysteresis'],
    ['alarms', 'Air', { alarms: { qualityAlarm: { config: { isEnabled: true } } } }, 'alarms'],
    ['a chart', 'Air', { chart: { lineWidth: 1 } }, 'chart'],
    ['a format', 'Air', { format: '0.0' }, 'format'],
    ['a series key', 'Air', { series: 'other' }, 'series'],
    ['metadata', 'North', { metadata: [] }, 'metadata'],
    ['coordinates', 'North', { coordinateSourceId: null }, 'coordinateSourceId'],
    ['being enabled', 'Logger', { isEnabled: false }, 'isEnabled'],
    ['an interval', 'Logger', { intervalSeconds: 60 }, 'intervalSeconds'],
    ['a zone', 'Logger', { timezone: 'Europe/Zurich' }, 'timezone'],
    ['a transport', 'Logger', { transport: { _class: SCOUT, deviceId: '356938035643809' } }, 'transport'],
    ['the name of a node below the root', 'Air', { name: 'Temperature' }, 'name'],
    ['overrides', 'Air', { overrides: ['units'] }, 'overrides'],
    ['one of several', 'Air', { customId: 'free', units: 'K' }, 'units'],
  ])('is locked to its template: %s is refused and nothing changes', async (_what, name, body, attribute) => {
    const api = await f.account();
    const { template, workspace } = await station(api);
    const instance = await instanceOf(api, template, workspace._id, { name: 'North' });
    const before = await api.get(instance.of(name)._id);
    await expect(api.update(before._id, body)).rejects.toMatchObject(refused(attribute));
    expect(await api.get(before._id)).toEqual(before);
  });

  test('has a name, custom ids and publication of its own; what it shows may be given back', async () => {
    const api = await f.account();
    const { template, workspace } = await station(api);
    const { root, of } = await instanceOf(api, template, workspace._id);
    expect(await api.update(root._id, { name: 'North', customId: 'north' })).toMatchObject({ name: 'North' });
    expect(await api.update(of('Air')._id, { customId: 'air', isPublic: true })).toMatchObject({
      customId: 'air',
      isPublic: true,
    });
    const whole = await api.get(of('Air')._id);
    expect(await api.update(of('Air')._id, whole)).toEqual(whole);
  });

  test('keeps its nodes: below the root none is deleted or moved, but added ones are', async () => {
    const api = await f.account();
    const { template, workspace } = await station(api);
    const { root, of } = await instanceOf(api, template, workspace._id);
    const group = await api.create('Group', 'Local', root._id);
    await expect(api.remove(of('Air')._id)).rejects.toMatchObject(refused('id'));
    await expect(api.move(of('Logger')._id, { parentId: group._id })).rejects.toMatchObject(refused('id'));
    await api.remove(group._id);
    await api.remove(root._id);
    expect((await api.list({ filter: `workspaceId($eq:${workspace._id})` })).list).toEqual([]);
  });

  test('cannot be made by TRIAL accounts or beyond the limit of sources', async () => {
    const api = await f.account();
    const { template, workspace } = await station(api);
    await f.database.query('UPDATE owners SET source_limit = 0.5 WHERE owner_id = $1', [api.ownerId]);
    await instanceOf(api, template, workspace._id);
    await expect(api.clone(template._id, { parentId: workspace._id })).rejects.toMatchObject(refused('_class'));
    await expect(api.create('source.data.Jts', 'More', template._id)).rejects.toMatchObject(refused('_class'));
  });
});

describe('a change of the template', () => {
  test('reaches every instance, with events and messages, by whoever made it', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    const made = [await instanceOf(api, template, workspace._id), await instanceOf(api, template, workspace._id)];
    f.published.changed.length = 0;
    const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 9, isAlarm: true }];
    await api.update(air._id, { units: 'K', states, name: 'Temperature' });
    for (const { of } of made) {
      const node = await api.get(of('Air')._id);
      expect(node).toMatchObject({ name: 'Temperature', units: 'K', series: 'air' });
      expect((node.states as { threshold?: number }[])[1]).toMatchObject({ threshold: 9 });
      await until(() => f.published.messagesOf(node._id).length === 3);
      expect(f.published.messagesOf(node._id)).toEqual([
        "Created node 'Air'",
        "Rename node 'Air' to 'Temperature'",
        'Updated units, states',
      ]);
      expect(f.published.events.findLast(({ nodeId }) => nodeId === node._id)?.username).toBe(api.caller.username);
      const heard = f.published.changed.findLast((announced) => announced.node.nodeId === node._id)!.node;
      expect(heard.series).toMatchObject({ units: 'K', writable: true });
      expect(heard.path).toMatch(/Temperature$/);
    }
  });

  test('leaves states as they are known by their ids', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    const { of } = await instanceOf(api, template, workspace._id);
    const before = stateIds(of('Air'));
    const [normal, high] = (await api.get(air._id)).states as Json[];
    await api.update(air._id, { states: [{ _id: normal!._id }, { _id: high!._id, threshold: 7 }] });
    expect(stateIds(await api.get(of('Air')._id))).toEqual(before);
  });

  test('adds nodes with what they refer to, removes them with what lies below, and moves them', async () => {
    const api = await f.account();
    const { template, source, air, chart, workspace } = await station(api);
    const { root, of } = await instanceOf(api, template, workspace._id, { name: 'North' });
    const group = await api.create('Group', 'Sensors', template._id);
    const rain = await api.create('point.NumberPoint', 'Rain', source._id, { units: 'mm' });
    await api.update(chart._id, { links: [{ nodeId: rain._id }, { nodeId: air._id }] });
    await api.move(source._id, { parentId: group._id });
    const children = async () => (await api.list({ filter: `workspaceId($eq:${workspace._id})` })).list;
    const now = await children();
    expect(named(now, 'Sensors')).toMatchObject({ templateNodeId: group._id, parentId: root._id });
    expect(named(now, 'Rain')).toMatchObject({ templateNodeId: rain._id, parentId: of('Logger')._id, units: 'mm' });
    expect(named(now, 'Logger')).toMatchObject({ _id: of('Logger')._id, parentId: named(now, 'Sensors')._id });
    expect(links(named(now, 'Chart'))).toEqual([named(now, 'Rain')._id, of('Air')._id]);
    const [moved] = f.published.messagesOf(of('Logger')._id).slice(-1);
    await until(() => f.published.messagesOf(of('Logger')._id).some((text) => text.startsWith('Move node')));
    expect(moved ?? '').not.toContain('Templates');
    await api.remove(group._id);
    expect((await children()).map(({ name }) => name).sort()).toEqual(['Chart', 'North']);
    await until(() => f.published.deleted.some(({ nodes }) => nodes.some(({ nodeId }) => nodeId === of('Air')._id)));
    await until(() => f.published.messagesOf(root._id).includes("Deleted node 'Sensors'"));
    expect(await api.get(root._id)).not.toHaveProperty('coordinateSourceId');
  });

  test('keeps what an instance may have of its own, until the override is taken away', async () => {
    const api = await f.account();
    const { template, air, source, workspace } = await station(api);
    const { of, root } = await instanceOf(api, template, workspace._id, { metadata: [{ name: 'Site ID', value: 7 }] });
    await api.update(air._id, { overrides: ['units', 'hysteresis', 'alarms'] });
    expect(await api.get(air._id)).toMatchObject({ overrides: ['units', 'states', 'alarms'] });
    expect(await api.get(of('Air')._id)).not.toHaveProperty('overrides');
    const alarms = { qualityAlarm: { config: { isEnabled: true } } };
    await api.update(of('Air')._id, { units: 'K', hysteresis: 2, alarms });
    await expect(api.update(of('Air')._id, { format: '0' })).rejects.toMatchObject(refused('format'));
    await api.update(air._id, { units: '°F', hysteresis: 3, format: '0.0' });
    expect(await api.get(of('Air')._id)).toMatchObject({
      units: 'K',
      hysteresis: 2,
      format: '0.0',
      alarms: { qualityAlarm: { config: { isEnabled: true } } },
    });
    await api.update(air._id, { overrides: ['states'] });
    expect(await api.get(of('Air')._id)).toMatchObject({
      units: '°F',
      hysteresis: 2,
      alarms: { qualityAlarm: { config: { isEnabled: false } } },
    });
    await api.update(air._id, { overrides: null });
    expect(await api.get(of('Air')._id)).toMatchObject({ hysteresis: 3 });
    await expect(api.update(of('Air')._id, { units: 'K' })).rejects.toMatchObject(refused('units'));
    expect(await api.get(of('Logger')._id)).toMatchObject({ templateNodeId: source._id });
    // Metadata of the clone stay over the template's, until the override is taken away.
    await api.update(template._id, { metadata: [{ name: 'Model', value: 'X2' }] });
    expect((await api.get(root._id)).metadata).toEqual([
      { name: 'Model', value: 'X2' },
      { name: 'Site ID', value: 7 },
    ]);
    await api.update(template._id, { overrides: ['metadata'] });
    await api.update(root._id, { metadata: [{ name: 'Site ID', value: 8 }] });
    await api.update(template._id, { metadata: [], name: 'Renamed' });
    expect(await api.get(root._id)).toMatchObject({ name: 'Station', metadata: [{ name: 'Site ID', value: 8 }] });
    await api.update(template._id, { overrides: [] });
    expect((await api.get(root._id)).metadata).toEqual([]);
  });

  test('overrides are of the class’s attributes and of nodes of templates', async () => {
    const api = await f.account();
    const { air, template, workspace } = await station(api);
    for (const overrides of [
      ['name'],
      ['customId'],
      ['isPublic'],
      ['intervalSeconds'],
      ['nonsense'],
      ['units', 5],
      'units',
    ])
      await expect(api.update(air._id, { overrides })).rejects.toMatchObject({
        kind: 'invalid_argument',
        message: expect.stringMatching(/^overrides/),
      });
    await expect(api.update(workspace._id, { overrides: ['metadata'] })).rejects.toMatchObject(refused('overrides'));
    const location = await api.create('location.Location', 'L', workspace._id);
    await expect(api.update(location._id, { overrides: ['metadata'] })).rejects.toMatchObject(refused('overrides'));
    expect(await api.create('Group', 'G', template._id, { overrides: ['metadata'] })).toMatchObject({
      overrides: ['metadata'],
    });
  });

  test('that does not fit what an instance has of its own is refused', async () => {
    const api = await f.account();
    const { template, source, workspace } = await station(api);
    await api.update(source._id, { overrides: ['intervalSeconds'] });
    const { of } = await instanceOf(api, template, workspace._id);
    await api.update(of('Logger')._id, { intervalSeconds: 60 });
    const before = await api.get(source._id);
    await expect(api.update(source._id, { intervalOffsetSeconds: 300 })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringMatching(/^intervalOffsetSeconds: .*instance/),
    });
    expect(await api.get(source._id)).toEqual(before);
  });

  test('swaps names and series keys of siblings', async () => {
    const api = await f.account();
    const { template, air, wind, workspace } = await station(api);
    const { of } = await instanceOf(api, template, workspace._id);
    await f.database.query('UPDATE templates SET due_ms = NULL');
    // The instance sees three changes as one.
    const { database } = f;
    await database.query(`UPDATE nodes SET name = 'x', name_key = 'x', series_key = NULL WHERE node_id = $1`, [
      air._id,
    ]);
    await api.update(wind._id, { name: 'Air', series: 'air' });
    await api.update(air._id, { name: 'Wind', series: 'wind' });
    expect(await api.get(of('Air')._id)).toMatchObject({ name: 'Wind', series: 'wind' });
    expect(await api.get(of('Wind')._id)).toMatchObject({ name: 'Air', series: 'air' });
  });

  test('takes over a parameter that a write has made in an instance, and leaves other nodes beside it alone', async () => {
    const api = await f.account();
    const { template, source, workspace } = await station(api);
    const { of, root } = await instanceOf(api, template, workspace._id);
    const logger = of('Logger')._id;
    await api.ensure(logger, [{ series: 'rain', name: 'rain gauge' }]);
    const under = async (parentId: string) => (await api.list({ filter: `parentId($eq:${parentId})` })).list;
    const local = named(await under(logger), 'rain gauge');
    expect(local).not.toHaveProperty('templateNodeId');
    const rain = await api.create('point.NumberPoint', 'Rain', source._id, { series: 'rain', units: 'mm' });
    expect(await api.get(local._id)).toMatchObject({ name: 'Rain', units: 'mm', templateNodeId: rain._id });
    const mine = await api.create('Group', 'Pages', root._id);
    await api.create('Dashboard', 'Pages', template._id);
    const names = (await under(root._id)).map(({ name }) => name).sort();
    expect(names).toEqual(['Chart', 'Logger', 'Pages', 'Pages (2)']);
    expect(await api.get(mine._id)).toMatchObject({ name: 'Pages', _class: 'io.svc.models.node.Group' });
  });

  test('keeps the key that a write gave to a parameter without one', async () => {
    const api = await f.account();
    const { template, wind, workspace } = await station(api);
    const { of } = await instanceOf(api, template, workspace._id);
    await api.ensure(of('Logger')._id, [{ name: 'wind' }]);
    await api.update(wind._id, { units: 'kn' });
    expect(await api.get(of('Wind')._id)).toMatchObject({ series: 'wind', units: 'kn' });
    await api.update(wind._id, { series: 'w2' });
    expect(await api.get(of('Wind')._id)).toMatchObject({ series: 'w2' });
  });
});

describe('instances that are behind', () => {
  afterEach(() => {
    f.clock.answerWaitMs = 5_000;
  });

  const cases: [what: string, first: object[], expected: object][] = [
    ['a change before an override is set', [{ units: 'K', overrides: [] }, { overrides: ['units'] }], { units: 'K' }],
    ['an override set with a change', [{ units: 'K', overrides: ['units'] }], { units: 'own' }],
    ['a change after an override is set', [{ overrides: ['units'] }, { units: 'K' }], { units: 'own' }],
    ['an override taken away and set again', [{ overrides: null }, { overrides: ['units'] }], { units: '°C' }],
    [
      'several of them',
      [{ overrides: null }, { units: 'K' }, { overrides: ['units', 'states'] }, { units: 'mK', hysteresis: 4 }],
      { units: 'K', hysteresis: 0 },
    ],
    [
      'an override set, taken away, and set again',
      [
        { overrides: [] },
        { units: 'a' },
        { overrides: ['units'] },
        { overrides: [] },
        { units: 'b' },
        { overrides: ['units'] },
      ],
      { units: 'b' },
    ],
  ];
  test.each(cases)('follow as if each change had reached them at once: %s', async (_what, changes, expected) => {
    const api = await f.account();
    const { template, air, wind, workspace } = await station(api);
    await api.update(air._id, { overrides: ['units'] });
    const { of } = await instanceOf(api, template, workspace._id);
    const isOwn = (expected as { units: string }).units === 'own';
    await api.update(of('Air')._id, { units: 'own' });
    f.clock.answerWaitMs = 0;
    await api.update(wind._id, { units: 'kn' });
    for (const change of changes) await api.update(air._id, change);
    expect(await api.get(of('Air')._id)).toMatchObject({ units: 'own' });
    await propagateDue(f);
    expect(await api.get(of('Air')._id)).toMatchObject(expected);
    expect(await api.get(of('Wind')._id)).toMatchObject({ units: 'kn' });
    expect(isOwn).toBe((await api.get(of('Air')._id)).units === 'own');
  });

  test('never get a category that was deleted meanwhile', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    const categories = (await ownerClient(f, api.caller)).of('categories');
    const category = await categories.create({ name: 'Flood' });
    const { of } = await instanceOf(api, template, workspace._id);
    f.clock.answerWaitMs = 0;
    const states = [
      { name: 'NORMAL' },
      { name: 'HIGH', threshold: 5, notify: 'AWAY_FROM_NORMAL', categoryId: category._id },
    ];
    await api.update(air._id, { states });
    await api.update(air._id, { overrides: ['states'] });
    await categories.remove(category._id);
    await propagateDue(f);
    const followed = await api.get(of('Air')._id);
    expect(followed).toMatchObject({ states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, notify: 'NEVER' }] });
    for (const node of [followed, await api.get(air._id)]) expect(JSON.stringify(node)).not.toContain(category._id);
    const { rows } = await f.database.query(
      'SELECT 1 FROM nodes WHERE owner_id = $1 AND position($2 IN config::text) > 0',
      [api.ownerId, category._id],
    );
    expect(rows).toEqual([]);
  });

  test('are brought up to date by whatever is done to them', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    await api.update(air._id, { overrides: ['format'] });
    const made = [];
    for (let n = 0; n < 4; n += 1) made.push(await instanceOf(api, template, workspace._id));
    f.clock.answerWaitMs = 0;
    await api.update(air._id, { units: 'K' });
    const [updated, unlinked, copied, moved] = made as [Made, Made, Made, Made];
    expect(await api.update(updated.of('Air')._id, { format: '0' })).toMatchObject({ units: 'K', format: '0' });
    await api.unlink(unlinked.root._id);
    await api.clone(copied.root._id, { parentId: workspace._id });
    const group = await api.create('Group', 'G', workspace._id);
    await api.move(moved.root._id, { parentId: group._id });
    for (const { of } of made) expect(await api.get(of('Air')._id)).toMatchObject({ units: 'K' });
    await api.remove(template._id);
    await expect(api.unlink(updated.root._id)).rejects.toMatchObject({ kind: 'not_found' });
    await propagateDue(f);
    const rest = (await api.list({ filter: `_class($match:location.Location)`, attr: '_id' })).list;
    expect(rest).toEqual([{ _id: unlinked.root._id }]);
  });
});

describe('sources of templates', () => {
  test('collect nothing: no device, no data, disabled to all others', async () => {
    const api = await f.account();
    const { source, air } = await station(api);
    const transport = { _class: SCOUT, deviceId: '356938035643809' };
    await expect(api.update(source._id, { transport })).rejects.toMatchObject(refused('transport.deviceId'));
    expect(await api.update(source._id, { transport: { _class: SCOUT } })).toMatchObject({ isEnabled: true });
    await expect(api.ensure(source._id, [{ name: 'New' }])).rejects.toMatchObject({ kind: 'failed_precondition' });
    const { nodes } = await f.nodes.resolveNodes({ nodeRefs: [source._id, air._id], ownerId: '' }, api.options);
    expect(nodes[0]?.source).toMatchObject({ isEnabled: false, deviceKey: '' });
    expect(nodes[1]?.series?.writable).toBe(false);
  });

  test('a transport without device leaves instances disabled until they have one', async () => {
    const api = await f.account();
    const { template, source, workspace } = await station(api);
    await api.update(source._id, { transport: { _class: SCOUT }, overrides: ['transport'] });
    const { of } = await instanceOf(api, template, workspace._id);
    expect(of('Logger')).toMatchObject({ isEnabled: false });
    const transport = { _class: SCOUT, deviceId: `35693803564${Math.floor(1000 + Math.random() * 8999)}` };
    expect(await api.update(of('Logger')._id, { transport })).toMatchObject({ isEnabled: true, transport });
    await api.update(source._id, { quietMaxSeconds: 3600 });
    expect(await api.get(of('Logger')._id)).toMatchObject({ isEnabled: true, transport, quietMaxSeconds: 3600 });
    await until(() => f.published.messagesOf(of('Logger')._id).includes('Source enabled'));
  });

  test('a push transport has a key of its own in every instance, which a change of the template leaves', async () => {
    const api = await f.account();
    const { template, source, workspace } = await station(api);
    const _class = 'io.svc.models.node.transport.FtpUpload';
    await api.update(source._id, { transport: { _class, password: 'first-password' } });
    const { of } = await instanceOf(api, template, workspace._id);
    const keyOf = async (id: string) => ((await api.get(id)).transport as { key: string }).key;
    const key = await keyOf(of('Logger')._id);
    expect(key).not.toBe(await keyOf(source._id));
    await api.update(source._id, { transport: { _class, password: 'second-password' } });
    expect(await keyOf(of('Logger')._id)).toBe(key);
    const stored = await f.database.query<{ password: string }>(
      `SELECT config -> 'transport' ->> 'password' AS password FROM nodes WHERE node_id = $1`,
      [of('Logger')._id],
    );
    expect(stored.rows[0]?.password).toBe('second-password');
  });
});

describe('unlinking', () => {
  test('leaves ordinary nodes as they are, which follow nothing', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    const { root, of } = await instanceOf(api, template, workspace._id);
    await expect(api.unlink(of('Air')._id)).rejects.toMatchObject(refused('id'));
    await expect(api.unlink(workspace._id)).rejects.toMatchObject(refused('id'));
    await expect(api.unlink(template._id)).rejects.toMatchObject(refused('id'));
    const reader = await f.as({ ...api.caller, permission: 'READ_ONLY' });
    await expect(reader.unlink(root._id)).rejects.toMatchObject(denied);
    const stranger = await f.account();
    await expect(stranger.unlink(root._id)).rejects.toMatchObject({ kind: 'not_found' });
    const { templateId, templateNodeId, revision, ...plain } = await api.get(root._id);
    expect([templateId, templateNodeId]).toEqual([template._id, template._id]);
    const unlinked = await api.unlink(root._id);
    expect(unlinked).toEqual({ ...plain, revision: expect.any(Number) });
    expect(unlinked.revision).toBeGreaterThan(revision as number);
    expect(await api.unlink(root._id).catch(({ kind }) => kind)).toBe('invalid_argument');
    await api.update(air._id, { units: 'K' });
    expect(await api.get(of('Air')._id)).toMatchObject({ units: '°C' });
    expect(await api.update(of('Air')._id, { units: 'mK', name: 'Mine' })).toMatchObject({ units: 'mK' });
    await api.remove(of('Air')._id);
    await api.remove(template._id);
    expect(await api.get(root._id)).toMatchObject({ name: 'Station' });
    await until(() => f.published.messagesOf(root._id).includes('Updated templateId'));
  });
});

describe('deleting a template', () => {
  test('deletes its instances with all below them, and no other', async () => {
    const api = await f.account();
    const { templates, template, workspace } = await station(api);
    const other = await api.create('Group', 'Other', templates._id);
    const kept = await instanceOf(api, other, workspace._id);
    const made = [await instanceOf(api, template, workspace._id), await instanceOf(api, template, workspace._id)];
    const local = await api.create('Dashboard', 'Mine', made[0]!.root._id);
    await api.remove(template._id);
    const left = (await api.list({ attr: 'name' })).list.map(({ name }) => name).sort();
    expect(left).toEqual(['Other', 'Other', 'Site', 'Templates']);
    expect(await api.get(kept.root._id)).toMatchObject({ templateId: other._id });
    await expect(api.get(local._id)).rejects.toMatchObject({ kind: 'not_found' });
    await until(() => f.published.messagesOf(workspace._id).length === 3);
    expect(f.published.messagesOf(workspace._id).slice(1)).toEqual([
      "Deleted node 'Station'",
      "Deleted node 'Station (2)'",
    ]);
    const { rows } = await f.database.query('SELECT 1 FROM templates WHERE template_id = $1', [template._id]);
    expect(rows).toEqual([]);
    // A template that has no instance any longer is forgotten at once.
    await api.remove(kept.root._id);
    await api.remove(other._id);
    expect((await f.database.query('SELECT 1 FROM templates WHERE owner_id = $1', [api.ownerId])).rows).toEqual([]);
  });
});

describe('cloning', () => {
  test('an instance gives another one, with what it has of its own; in a workspace too', async () => {
    const api = await f.account();
    const { template, air, workspace } = await station(api);
    await api.update(air._id, { overrides: ['units'] });
    const first = await instanceOf(api, template, workspace._id, { metadata: [{ name: 'Site ID', value: 7 }] });
    await api.update(first.of('Air')._id, { units: 'K' });
    const [second, ...below] = await api.clone(first.root._id, { parentId: workspace._id, name: 'Second' });
    expect(second).toMatchObject({ templateId: template._id });
    expect(named(below, 'Air')).toMatchObject({ templateNodeId: air._id, units: 'K' });
    const [whole, ...all] = await api.clone(workspace._id, { name: 'Copy' });
    expect(all.filter(({ templateId }) => templateId === template._id)).toHaveLength(2);
    await api.update(air._id, { format: '0.00' });
    const airs = (await api.list({ filter: `templateNodeId($eq:${air._id})` })).list;
    expect(airs.map(({ format, units }) => [format, units])).toEqual(Array(4).fill(['0.00', 'K']));
    expect(new Set(airs.flatMap(stateIds)).size).toBe(8);
    const siteIds = (await api.list({ filter: `templateId($eq:${template._id})` })).list.map((n) => n.metadata);
    for (const metadata of siteIds) expect(metadata).toContainEqual({ name: 'Site ID', value: 7 });
    expect(whole).not.toHaveProperty('templateId');
  });

  test('part of an instance, or of a template, gives ordinary nodes', async () => {
    const api = await f.account();
    const { template, source, workspace } = await station(api);
    await api.update(source._id, { overrides: ['timezone'] });
    const { of } = await instanceOf(api, template, workspace._id);
    const location = await api.create('location.Location', 'L', workspace._id);
    for (const id of [source._id, of('Logger')._id])
      for (const node of await api.clone(id, { parentId: location._id })) {
        expect(node).not.toHaveProperty('templateNodeId');
        expect(node).not.toHaveProperty('overrides');
      }
  });

  test('a Location makes a template of it, a template a second one, and nodes into a template reach its instances', async () => {
    const api = await f.account();
    const { templates, template, air, workspace } = await station(api);
    const location = await api.create('location.Location', 'Plain', workspace._id);
    const [made] = await api.clone(location._id, { parentId: templates._id });
    expect(made).toMatchObject({ workspaceId: templates._id });
    await api.update(air._id, { overrides: ['units'] });
    const [second, ...below] = await api.clone(template._id, { parentId: templates._id });
    expect(second).not.toHaveProperty('templateId');
    expect(named(below, 'Air')).toMatchObject({ overrides: ['units'] });
    const { root } = await instanceOf(api, template, workspace._id);
    const page = await api.create('Dashboard', 'Page', workspace._id);
    const [copy] = await api.clone(page._id, { parentId: template._id });
    const reached = (await api.list({ filter: `templateNodeId($eq:${copy!._id})` })).list;
    expect(reached).toMatchObject([{ name: 'Page', parentId: root._id }]);
  });

  test('nothing is moved into, out of or between templates', async () => {
    const api = await f.account();
    const { templates, template, source, workspace } = await station(api);
    const other = await api.create('location.Location', 'Other', templates._id);
    const location = await api.create('location.Location', 'Plain', workspace._id);
    const group = await api.create('Group', 'G', location._id);
    for (const [id, parentId] of [
      [location._id, templates._id],
      [group._id, template._id],
      [template._id, workspace._id],
      [source._id, other._id],
      [source._id, location._id],
    ] as const)
      await expect(api.move(id, { parentId })).rejects.toMatchObject(refused('parentId'));
  });
});
