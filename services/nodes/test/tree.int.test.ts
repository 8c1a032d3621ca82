import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

test('a tree is created, read, listed, changed and deleted, and says so on the bus', async () => {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const point = await api.create('point.NumberPoint', 'Air_temperature'.replace('_', ' '), source._id, {
    units: '°C',
    multiplier: 2,
  });
  expect(workspace).not.toHaveProperty('parentId');
  expect(point).toMatchObject({
    parentId: source._id,
    workspaceId: workspace._id,
    ownerId: api.ownerId,
    units: '°C',
    multiplier: 2,
  });
  const { list } = await api.list();
  expect(list.map(({ _id }) => _id)).toEqual([workspace, location, source, point].map(({ _id }) => _id));

  await api.update(workspace._id, { name: 'Other site' });
  const changed = await until(() =>
    f.published.changed.find(({ node }) => node.nodeId === point._id && node.path.includes('Other')),
  );
  expect(changed.node.path).toBe(`${api.slug}/Other site/Station/Logger/Air temperature`);
  await until(() => f.published.messagesOf(workspace._id).includes("Rename node 'Site' to 'Other site'"));

  await api.remove(location._id);
  const gone = await until(() => f.published.deleted.find(({ ownerId }) => ownerId === api.ownerId));
  expect(gone.nodes.map(({ nodeId }) => nodeId).sort()).toEqual([location._id, source._id, point._id].sort());
  expect(gone.nodes.find(({ nodeId }) => nodeId === point._id)?.sourceId).toBe(source._id);
  await until(() => f.published.messagesOf(workspace._id).includes("Deleted node 'Station'"));
  await expect(api.remove(location._id)).rejects.toMatchObject({ kind: 'not_found' });
  expect((await api.list()).list.map(({ _id }) => _id)).toEqual([workspace._id]);
});

test('columns of a data source write become parameters once, even from many requests at once', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => api.ensure(source._id, [{ name: 'a_b' }, { series: 'k', dataType: 'TEXT' }])),
  );
  expect(new Set(all.flatMap(({ parameters }) => parameters.map(({ nodeId }) => nodeId))).size).toBe(2);
  const got = await f.nodes.getSource({ sourceId: source._id, ownerId: api.ownerId }, f.service);
  expect(got.parameters.map(({ name, class: cls, series }) => [name, cls, series?.seriesKey])).toEqual([
    ['a b', 'point.NumberPoint', 'a_b'],
    ['k', 'point.TextPoint', 'k'],
  ]);
  const { nodes } = await f.nodes.resolveNodes({ nodeRefs: [source._id], ownerId: '' }, api.options);
  expect(nodes[0]).toMatchObject({
    nodeId: source._id,
    sourceId: source._id,
    source: { isEnabled: true, transportClass: 'None' },
  });
});
