import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

async function site() {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const names = ['beta', 'Alpha', 'gamma'];
  for (const [i, name] of names.entries())
    await api.create('point.NumberPoint', name, source._id, {
      units: `u${i}`,
      ...(i === 2 && { displayType: 'STATE' }),
    });
  await api.update(location._id, { metadata: [{ name: 'Site ID', value: 7 }] });
  const find = async (filter: string) => (await api.list({ filter, attr: 'name' })).list.map(({ name }) => name);
  return { api, workspace, location, source, find };
}

test('attr gives exactly the listed attributes in their order, sort may use others', async () => {
  const { api } = await site();
  const { list } = await api.list({
    attr: 'units,name,nonsense',
    filter: '_class($match:.point.)',
    sort: 'units(DESC)',
  });
  expect(JSON.stringify(list)).toBe(
    '[{"units":"u2","name":"gamma"},{"units":"u1","name":"Alpha"},{"units":"u0","name":"beta"}]',
  );
});

test.each([
  ['name($eq:Alpha)', ['Alpha']],
  ['name($match:ALP)', ['Alpha']],
  ['_class($match:io.svc.models.node.source.data)', ['Logger']],
  ['displayType($eq:VALUE)', ['Station', 'beta', 'Alpha']],
  ['displayType($eq:STATE)|name($eq:Site)', ['Site', 'gamma']],
  ['units($eq:u1),isActive($eq:true)', ['Alpha']],
  ['isEnabled($eq:true)', ['Logger']],
  ['currentStatus($eq:IDLE)', ['Logger']],
  ['timezone($eq:Etc/UTC)', ['Logger']],
  ['transport._class($match:transport.None)', ['Logger']],
  ['intervalSeconds($gte:3600)', ['Logger']],
  ['parentId($eq:null)', ['Site']],
  ['metadata.name($eq:Site ID)', ['Station']],
  ['metadata.value($eq:Number(7))', ['Station']],
  ['states.name($eq:NORMAL),_class($match:point)', ['beta', 'Alpha', 'gamma']],
  ['states._class($match:PointState),states.name($eq:NORMAL)', ['Station', 'beta', 'Alpha', 'gamma']],
  ['states.threshold($eq:Number(1))', []],
  ['statesType($eq:RANGE),_class($match:Location)', ['Station']],
  // A default, which is not stored, is found as it is shown.
  ['alarms.overloadAlarm.config.isEnabled($eq:true)', ['Logger']],
  ['alarms.outdatedAlarm.config.isEnabled($eq:false),alarms.outdatedAlarm.config.notify($eq:NEVER)', ['Logger']],
  ['alarms.overloadAlarm.config.isEnabled($ne:true),_class($match:source)', []],
  ['alarms.stateAlarm._class($match:StateAlarm)', ['Station', 'beta', 'Alpha', 'gamma']],
  ['chart.lineWidth($eq:2),chart.lineType($eq:NORMAL)', ['beta', 'Alpha']],
  ['chart._class($match:LineChart),chart.aggregation.type($eq:START)', ['gamma']],
  ['alarms.stateAlarm.status.alarmState($eq:CLEARED)', ['Station', 'beta', 'Alpha', 'gamma']],
  ['alarms.outdatedAlarm.status.dataTime($gt:2015-01-01T00:00:00Z)', ['Logger']],
  ['currentValue($gt:Number(5))', []],
  ['createdTime($lt:2015-01-01T00:00:00Z)', []],
  ['nonsense($eq:1)', []],
  [`name($eq:x'; DROP TABLE nodes; --)`, []],
])('filter %s', async (filter, names) => expect(await (await shared()).find(filter)).toEqual(names));

let once: ReturnType<typeof site> | undefined;
const shared = () => {
  once ??= site();
  return once;
};

test.each([
  ['filter', { filter: 'name' }],
  ['filter', { filter: 'name($gt:5)' }],
  ['filter', { filter: 'fileUrl($eq:x)' }],
  ['filter', { filter: 'currentValue($gt:5)' }],
  ['sort', { sort: 'name(UP)' }],
  ['limit', { limit: 50_001 }],
  ['type', { type: 'BUSH' }],
  ['type', { type: 'TREE', filter: 'name($eq:a)' }],
  ['type', { type: 'TREE', limit: 5 }],
])('a wrong %s is refused: %j', async (name, query) => {
  const { api } = await shared();
  await expect(api.list(query)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(name),
  });
});

test.each([
  [{ limit: 0 }, []],
  [{ limit: 2 }, ['Site', 'Station']],
  [{ limit: 2, skip: 3 }, ['beta', 'Alpha']],
  [{ sort: 'name', limit: 3 }, ['Alpha', 'Logger', 'Site']],
  [{ sort: 'displayType(DESC),name(DESC)', limit: 2 }, ['beta', 'Station']],
])('%j', async (query, names) => {
  const { api } = await shared();
  expect((await api.list({ attr: 'name', ...query })).list.map(({ name }) => name)).toEqual(names);
});

test('a tree has children by name, letter case aside, and keeps them whatever attr says', async () => {
  const { api } = await shared();
  expect((await api.list({ type: 'tree', attr: 'name' })).list).toEqual([
    {
      name: 'Site',
      children: [
        {
          name: 'Station',
          children: [{ name: 'Logger', children: ['Alpha', 'beta', 'gamma'].map((name) => ({ name, children: [] })) }],
        },
      ],
    },
  ]);
});

test('a list of thousands streams in pieces, and is too many for a tree', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  for (let s = 0; s < 10; s += 1) {
    const source = await api.create('source.data.Jts', `S${s}`, location._id);
    await api.ensure(
      source._id,
      Array.from({ length: 500 }, (_, i) => ({ name: `p${i}` })),
    );
  }
  const { list, chunks } = await api.list();
  expect(list).toHaveLength(5013);
  expect(new Set(list.map(({ _id }) => _id)).size).toBe(5013);
  expect(chunks.length).toBeGreaterThan(20);
  expect(Math.max(...chunks.map(({ data }) => data.length))).toBeLessThan(100_000);
  expect(chunks.filter(({ revision }) => revision !== '')).toHaveLength(1);
  await expect(api.list({ type: 'TREE' })).rejects.toMatchObject({ kind: 'too_large' });
});

test('the revision of a list changes with configuration, and only with the own account', async () => {
  const [api, other] = [await f.account(), await f.account()];
  const node = await api.create('Workspace', 'W');
  const first = (await api.list()).revision;
  await other.create('Workspace', 'W');
  expect((await api.list()).revision).toBe(first);
  await api.update(node._id, { name: 'W' });
  expect((await api.list()).revision).toBe(first);
  await api.update(node._id, { name: 'V' });
  expect((await api.list()).revision).not.toBe(first);
});

describe('a filter by the customId of a node', () => {
  async function linked() {
    const api = await f.account();
    const { workspace, location, source } = await f.source(api);
    const parameter = await api.create('point.NumberPoint', 'P', source._id);
    const other = await api.create('Workspace', 'Elsewhere', undefined, { customId: 'elsewhere' });
    await api.update(workspace._id, { customId: 'site' });
    await api.update(source._id, { customId: 'logger-1' });
    await api.update(parameter._id, { customId: 'p' });
    await api.update(location._id, { coordinateSourceId: source._id });
    await api.create('chart.HistoricChart', 'Chart', location._id, { links: [{ nodeId: parameter._id }] });
    await api.create('point.NumberRatingPoint', 'Rated', source._id, {
      rating: { inputNodeId: parameter._id, ratings: [] },
    });
    // The node of another account has the same custom id, which names nothing here.
    await (await f.account()).create('Workspace', 'Site', undefined, { customId: 'foreign' });
    return { api, other };
  }
  let made: ReturnType<typeof linked> | undefined;
  const once = () => {
    made ??= linked();
    return made;
  };

  test.each([
    ['parentId($eq:@logger-1)', ['P', 'Rated']],
    ['_id($eq:@p)|_id($eq:@site)', ['Site', 'P']],
    ['workspaceId($eq:@site),_class($match:.data.)', ['Logger']],
    ['workspaceId($ne:@site)', ['Site', 'Elsewhere']],
    ['coordinateSourceId($eq:@logger-1)', ['Station']],
    ['links.nodeId($eq:@p)', ['Chart']],
    ['rating.inputNodeId($eq:@p)', ['Rated']],
    ['parentId($eq:@nobody)', []],
    ['parentId($ne:@nobody)', []],
    ['_id($eq:@foreign)', []],
  ])('%s', async (filter, names) => {
    const { api } = await once();
    expect((await api.list({ filter, attr: 'name' })).list.map(({ name }) => name)).toEqual(names);
  });

  test('finds nothing through a node outside of the caller’s workspaces', async () => {
    const { api, other } = await once();
    const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [other._id] });
    const find = async (filter: string) => (await limited.list({ filter, attr: 'name' })).list;
    expect(await find('_id($eq:@elsewhere)')).toHaveLength(1);
    expect(await find('parentId($ne:@site)')).toEqual([]);
  });
});
