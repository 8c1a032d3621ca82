import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

test('columns become parameters, seen at once by GET and by other services', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const { parameters } = await api.ensure(source._id, [
    { name: 'air_temp', units: '°C' },
    { series: 'k1', name: 'Note', dataType: 'TEXT' },
    { series: 'door', dataType: 'BOOLEAN' },
  ]);
  expect(parameters.map(({ name, class: cls, series }) => [name, cls, series?.seriesKey, series?.units])).toEqual([
    ['air temp', 'point.NumberPoint', 'air_temp', '°C'],
    ['Note', 'point.TextPoint', 'k1', ''],
    ['door', 'point.NumberPoint', 'door', ''],
  ]);
  expect(parameters.every(({ sourceId }) => sourceId === source._id)).toBe(true);
  expect(await api.get(parameters[2]!.nodeId)).toMatchObject({
    displayType: 'STATE',
    isActive: true,
    statesType: 'DISCRETE',
    states: [
      { name: 'TRUE', threshold: 1 },
      { name: 'FALSE', threshold: 0 },
    ],
  });
  const got = await f.nodes.getSource({ sourceId: source._id, ownerId: api.ownerId }, f.service);
  expect(got.parameters.map(({ nodeId }) => nodeId).sort()).toEqual(parameters.map(({ nodeId }) => nodeId).sort());
  expect(got.source).toMatchObject({
    nodeId: source._id,
    sourceId: source._id,
    source: { isEnabled: true, transportClass: 'None' },
  });
  await until(() => f.published.messagesOf(parameters[1]!.nodeId).includes("Created node 'Note'"));
});

test('requests that make the same columns at once end with one parameter each', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => api.ensure(source._id, [{ name: 'a' }, { series: i % 2 ? 'b' : 'a' }])),
  );
  const ids = new Set(all.flatMap(({ parameters }) => parameters.map(({ nodeId }) => nodeId)));
  expect(ids.size).toBe(2);
  expect((await api.list({ filter: '_class($match:.point.)' })).list).toHaveLength(2);
});

test('a parameter made by hand is found by its name and adopts the key', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const point = await api.create('point.NumberPoint', 'Wind', source._id);
  const { parameters } = await api.ensure(source._id, [{ series: 'wind' }]);
  expect(parameters[0]).toMatchObject({ nodeId: point._id, series: { seriesKey: 'wind' } });
  expect(await api.get(point._id)).toMatchObject({ name: 'Wind', series: 'wind' });
});

test('one wrong column and none is made', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const second = await f.account();
  const foreign = await api.create('source.data.Jts', 'Second', String(source.parentId));
  const { parameters } = await api.ensure(foreign._id, [{ name: 'there' }]);
  for (const bad of [
    { name: 'x', dataType: 'WORD' },
    {},
    { id: parameters[0]!.nodeId, name: 'x' },
    { id: 'f'.repeat(24) },
  ])
    await expect(api.ensure(source._id, [{ name: 'good' }, bad])).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining('header.columns.1'),
    });
  const got = await f.nodes.getSource({ sourceId: source._id, ownerId: api.ownerId }, f.service);
  expect(got.parameters).toEqual([]);
  await expect(second.ensure(source._id, [{ name: 'a' }])).rejects.toMatchObject({ kind: 'not_found' });
  await expect(api.ensure(String(source.parentId), [{ name: 'a' }])).rejects.toMatchObject({
    kind: 'failed_precondition',
  });
});

test('a source has at most 500 parameters', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  await api.ensure(
    source._id,
    Array.from({ length: 500 }, (_, i) => ({ name: `p${i}` })),
  );
  await expect(api.ensure(source._id, [{ name: 'p7' }, { name: 'more' }])).rejects.toMatchObject({
    kind: 'invalid_argument',
  });
  await expect(api.create('point.NumberPoint', 'more', source._id)).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('services name the account', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  const columns = [{ index: 0, id: '', series: 's', name: '', dataType: '', units: '' }];
  const ensure = (ownerId: string) => f.nodes.ensureParameters({ sourceId: source._id, ownerId, columns }, f.service);
  await expect(ensure('')).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(ensure('f'.repeat(24))).rejects.toMatchObject({ kind: 'not_found' });
  expect((await ensure(api.ownerId)).parameters).toHaveLength(1);
});
