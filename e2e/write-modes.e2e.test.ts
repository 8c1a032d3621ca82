// Writes to several nodes (docs/reference/writing.md#columns-of-a-write;
// docs/reference/requests-and-errors.md#what-clients-rely-on, items 5 and 9) and write modes
// (docs/reference/writing.md#write-modes), through the gateway.
import { until } from '@catchment/testkit';
import { type Api, jts, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();

async function parameters(count: number): Promise<string[]> {
  const { sourceId } = await api.createSite();
  const names = Array.from({ length: count }, (_, n) => `P${String(n).padStart(2, '0')}`);
  await api.put(`/nodes/${sourceId}/historic`, jts(names, []));
  const nodes = (await api.get('/nodes')).json as { _id: string; parentId?: string; name: string }[];
  const own = nodes.filter(({ parentId }) => parentId === sourceId);
  return own.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ _id }) => _id);
}
const recordsOf = async (id: string) =>
  (await api.get(`/nodes/${id}/historic?startTime=${minute(0)}&endTime=${minute(59)}`)).json.data;

test('5: columns of a body without header go to the nodes of params; 202 with a message, visible within 2 s', async () => {
  const [first, second] = await parameters(2);
  const body = {
    docType: 'jts',
    version: '1.0',
    data: [{ ts: minute(1), f: { 0: { v: 1.5 }, 3: { v: 4 }, 7: { v: 9 } } }],
  };
  const answer = await api.put(`/historic?params=${first}(columnIndex:0),${second}(columnIndex:3)`, body);
  expect([answer.status, answer.json]).toEqual([
    202,
    {
      status: { code: 202, message: 'Operation accepted but not yet complete' },
      write: expect.stringMatching(/^[\w-]+$/),
    },
  ]);
  await until(async () => {
    const shown = await Promise.all(
      [first, second].map(async (id) => (await api.get(`/nodes/${id}`)).json.currentValue),
    );
    expect(shown).toEqual([1.5, 4]);
    expect(await recordsOf(second ?? '')).toEqual([{ ts: minute(1), f: { 0: { v: 4 } } }]);
    return true;
  });
});

test('9: 63 nodes in one params', async () => {
  const ids = await parameters(63);
  const params = ids.map((id, n) => `${id}(columnIndex:${n})`).join(',');
  const fields = Object.fromEntries(ids.map((_, n) => [n, { v: n }]));
  const answer = await api.post(`/historic?params=${params}`, { docType: 'jts', data: [{ ts: minute(1), f: fields }] });
  expect(answer.status).toBe(202);
  await until(async () => (await api.get(`/nodes/${ids[62]}`)).json.currentValue === 62);
});

test('an update changes what it sends, a delete takes current values back, a failing write leaves an ERROR event', async () => {
  const [id] = await parameters(1);
  const write = (mode: string, rows: readonly [number, object | null][]) =>
    api.put(`/nodes/${id}/historic?writeMode=${mode}`, {
      docType: 'jts',
      data: rows.map(([n, field]) => ({ ts: minute(n), f: { 0: field } })),
    });
  const statuses = [
    await write('MERGE_OVERWRITE_EXISTING', [
      [1, { v: 1 }],
      [2, { v: 2, a: 'two' }],
      [3, { v: 3 }],
    ]),
    await write('MERGE_UPDATE_EXISTING', [[2, { q: 7 }]]),
    await write('MERGE_FAIL_ON_EXISTING', [
      [2, { v: 9 }],
      [4, { v: 9 }],
    ]),
    await write('DELETE', [[3, { v: 3 }]]),
  ].map(({ status }) => status);
  expect(statuses).toEqual([202, 202, 202, 202]);
  await until(async () => {
    expect((await api.get(`/nodes/${id}`)).json).toMatchObject({
      currentValue: 2,
      previousValue: 1,
      currentQuality: 7,
    });
    return true;
  });
  expect(await recordsOf(id ?? '')).toEqual([
    { ts: minute(1), f: { 0: { v: 1 } } },
    { ts: minute(2), f: { 0: { v: 2, q: 7, a: 'two' } } },
  ]);
  await until(async () => {
    const events = (await api.get(`/nodes/${id}/events`)).json as { level: string; message: string; _class: string }[];
    expect(events.filter(({ level }) => level === 'ERROR')).toMatchObject([
      { eventType: 'ACQUISITION', message: 'Merge failed: existing records', _class: expect.stringContaining('Event') },
    ]);
    return true;
  });
});

test('a target that takes no records refuses the whole request', async () => {
  const [id] = await parameters(1);
  const { locationId, sourceId } = await api.createSite();
  const body = { docType: 'jts', data: [{ ts: minute(5), f: { 0: { v: 1 } } }] };
  const answer = await api.put(`/historic?params=${id}(columnIndex:0),${sourceId}(columnIndex:0)`, body);
  expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining('node')]);
  const wrongType = await api.put(`/historic?params=${id}(columnIndex:0),${locationId}(columnIndex:0)`, body);
  expect([wrongType.status, wrongType.json.error.message]).toEqual([400, expect.stringContaining('data[0].f.0.v')]);
  expect((await api.get(`/nodes/${locationId}`)).json._class).toBe(`${MODEL}.location.Location`);
  expect(await recordsOf(id ?? '')).toEqual([]);
});
