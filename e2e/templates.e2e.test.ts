import { until } from '@catchment/testkit';
import { type Api, jts, MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { statesKnown } from './src/states-known.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

type Node = { _id: string; name: string; [attribute: string]: unknown };
const hour = (n: number) => new Date(Date.UTC(2024, 4, 1, n)).toISOString();
const make = async (cls: string, name: string, parentId?: string, more: object = {}): Promise<Node> =>
  (await api.create({ _class: `${MODEL}.${cls}`, name, parentId, ...more })) as Node;
const node = async (id: string): Promise<Node> => (await api.get(`/nodes/${id}`)).json;
const named = (nodes: Node[], name: string): Node => nodes.find((node) => node.name === name)!;
const messages = async (id: string): Promise<string[]> =>
  (await api.get(`/nodes/${id}/events`)).json.map((event: { message: string }) => event.message);

/** Templates are one per account: whoever comes later uses the one that is there. */
async function templatesRoot(): Promise<string> {
  const found = (await api.get(`/nodes?filter=_class($eq:${MODEL}.Templates)&attr=_id`)).json;
  return found.length > 0 ? found[0]._id : (await make('Templates', 'Templates'))._id;
}

test('a template, its instances, overrides, propagation and unlinking, with data and alarms', async () => {
  const template = await make('location.Location', unique('Station'), await templatesRoot());
  const source = await make('source.data.Jts', 'Logger', template._id);
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 8, isAlarm: true }];
  const level = await make('point.NumberPoint', 'Level', source._id, { units: 'm', series: 'level', states });
  const rain = await make('point.NumberPoint', 'Rain', source._id, { units: 'mm', series: 'rain' });
  const chart = await make('chart.HistoricChart', 'Chart', template._id, { links: [{ nodeId: level._id }] });
  await api.put(`/nodes/${template._id}`, { coordinateSourceId: source._id });
  const workspace = await make('Workspace', unique('Site'));

  // Each of the two instances is whole in itself.
  const clone = async (name: string): Promise<Node[]> => {
    const answer = await api.post(`/nodes/${template._id}/clone`, { parentId: workspace._id, name });
    expect(answer.status).toBe(201);
    return answer.json;
  };
  const [north, south] = [await clone('North'), await clone('South')];
  for (const nodes of [north, south]) {
    expect(nodes[0]).toMatchObject({ templateId: template._id, coordinateSourceId: named(nodes, 'Logger')._id });
    expect(named(nodes, 'Chart')).toMatchObject({
      templateNodeId: chart._id,
      links: [{ nodeId: named(nodes, 'Level')._id }],
    });
  }
  const at = (nodes: Node[], name: string) => `/nodes/${named(nodes, name)._id}`;

  // Data go to the instance, never to the template.
  const write = (id: string, ...values: number[]) =>
    api.put(
      `/nodes/${id}/historic?notifyOn=ALL_NEWER`,
      jts(
        ['level'],
        values.map((v, n) => [hour(n), v]),
      ),
    );
  expect((await write(source._id, 1)).status).toBe(400);
  expect((await api.put(`/nodes/${level._id}/historic/now`, { value: 1 })).status).toBe(400);
  expect((await write(named(north, 'Logger')._id, 3, 9)).status).toBe(202);
  await until(async () => (await node(named(north, 'Level')._id)).currentValue === 9);
  await until(async () => (await messages(named(north, 'Level')._id)).includes('State changed from NORMAL to HIGH'));
  expect(await node(level._id)).not.toHaveProperty('currentValue');

  // The attribute is locked until the template allows it; what the instance has of its own then stays.
  const locked = await api.put(at(north, 'Level'), { units: 'cm' });
  expect([locked.status, locked.json.error.message]).toEqual([400, expect.stringMatching(/^units: is locked/)]);
  expect((await api.put(`/nodes/${level._id}`, { overrides: ['units'] })).status).toBe(200);
  expect((await api.put(at(north, 'Level'), { units: 'cm' })).json.units).toBe('cm');

  // A change of the template reaches both, the alarms service too; units stay what they were when the override was set.
  const lower = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 4, isAlarm: true }];
  expect((await api.put(`/nodes/${level._id}`, { states: lower, units: 'ft', format: '0.0' })).status).toBe(200);
  expect((await api.get(at(north, 'Level'))).json).toMatchObject({ units: 'cm', format: '0.0' });
  expect((await api.get(at(south, 'Level'))).json).toMatchObject({ units: 'm', format: '0.0' });
  await until(async () => (await messages(named(south, 'Level')._id)).includes('Updated format, states'));
  await statesKnown(api);
  expect((await write(named(south, 'Logger')._id, 3, 5)).status).toBe(202);
  await until(async () => (await messages(named(south, 'Level')._id)).includes('State changed from NORMAL to HIGH'));

  // New nodes come, removed ones go with their data.
  const temperature = await make('point.NumberPoint', 'Temperature', source._id, { series: 'temperature' });
  const followers = (await api.get(`/nodes?filter=templateNodeId($eq:${temperature._id})`)).json as Node[];
  expect(followers.map(({ parentId }) => parentId).sort()).toEqual(
    [named(north, 'Logger')._id, named(south, 'Logger')._id].sort(),
  );
  await api.put(`${at(north, 'Rain')}/historic/now`, { value: 1 });
  expect((await api.delete(`/nodes/${rain._id}`)).status).toBe(200);
  expect((await api.get(at(north, 'Rain'))).status).toBe(404);
  await until(async () => (await api.get(`${at(north, 'Rain')}/historic?limit=1`)).status === 404);

  // Unlinked, the instance is like any other node, with its data and events.
  const unlinked = await api.post(`/nodes/${north[0]!._id}/unlink`);
  expect([unlinked.status, unlinked.json]).toEqual([
    200,
    expect.not.objectContaining({ templateId: expect.anything() }),
  ]);
  expect((await api.post(`/nodes/${north[0]!._id}/unlink`)).status).toBe(400);
  await api.put(`/nodes/${level._id}`, { format: '0' });
  expect((await api.put(at(north, 'Level'), { format: '0.00', name: 'Stage' })).json).toMatchObject({ format: '0.00' });
  const kept = await api.get(`${at(north, 'Level')}/historic?startTime=${hour(0)}&endTime=${hour(1)}`);
  expect(kept.json.data).toHaveLength(2);
  expect(await messages(named(north, 'Level')._id)).toContain('State changed from NORMAL to HIGH');

  // The instances that are left go with the template.
  expect((await api.delete(`/nodes/${template._id}`)).status).toBe(200);
  expect((await api.get(`/nodes/${south[0]!._id}`)).status).toBe(404);
  await until(async () => (await api.get(`${at(south, 'Level')}/historic?limit=1`)).status === 404);
  expect((await api.get(at(north, 'Level'))).json).toMatchObject({ name: 'Stage', currentValue: 9 });
});

test('a clone keeps its inner links: chart, rating, coordinates', async () => {
  const { workspaceId, locationId, sourceId } = await api.createSite();
  const level = await make('point.NumberPoint', 'Level', sourceId);
  const flow = await make('point.NumberRatingPoint', 'Flow', sourceId, {
    rating: { inputNodeId: level._id, ratings: [] },
  });
  const links = [{ nodeId: level._id }, { nodeId: flow._id }];
  await make('chart.HistoricChart', 'Chart', locationId, { links });
  await api.put(`/nodes/${locationId}`, { coordinateSourceId: sourceId });
  const copies = (await api.post(`/nodes/${workspaceId}/clone`, { name: unique('Copy') })).json as Node[];
  const copy = (name: string) => named(copies, name);
  expect(copy('Location')).toMatchObject({ coordinateSourceId: copy('Source')._id });
  expect(copy('Chart').links).toMatchObject([{ nodeId: copy('Level')._id }, { nodeId: copy('Flow')._id }]);
  expect(copy('Flow').rating).toMatchObject({ inputNodeId: copy('Level')._id });

  // Data of the copy are the copy's alone.
  await api.put(
    `/nodes/${copy('Level')._id}/historic`,
    jts(
      ['Level'],
      [
        [hour(0), 1],
        [hour(1), 2],
      ],
    ),
  );
  await until(async () => (await node(copy('Level')._id)).currentValue === 2);
  expect(await node(level._id)).not.toHaveProperty('currentValue');
});
