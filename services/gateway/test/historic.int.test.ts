import { openGateway } from './fixture.ts';

const PATH = '/api/v1/historic';
const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];
// A client program sends a body without header like this (docs/reference/requests-and-errors.md#what-clients-rely-on, item 5).
const BODY = JSON.stringify({
  docType: 'jts',
  version: '1.0',
  data: [{ ts: '2024-01-01T00:00:00Z', f: { 0: { v: 1 } } }],
});

let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());
const DEFAULTS = { writeMode: 'MERGE_OVERWRITE_EXISTING', notifyOn: 'LATEST_ONLY' };
const sent = () => gateway.calls.findLast(({ rpc }) => rpc === 'writeMany')?.request;

test.each([
  ['PUT', PATH],
  ['POST', PATH],
  ['PUT', `${PATH}/`],
])('%s %s takes params raw and answers exactly 202 with a message', async (method, path) => {
  const params = `${A}(columnIndex:0),${B}(columnIndex:3)`;
  const reply = await gateway.ask(`${path}?params=${params}&writeMode=DELETE&notifyOn=none`, { method, body: BODY });
  expect([reply.status, reply.json()]).toEqual([
    202,
    {
      status: { code: 202, message: 'Operation accepted but not yet complete' },
      write: expect.stringMatching(/^[\w-]+$/),
    },
  ]);
  expect(sent()).toMatchObject({ params, writeMode: 'DELETE', notifyOn: 'NONE' });
  expect(Buffer.from(sent()?.body as Uint8Array).toString()).toBe(BODY);
});

test('params of 63 nodes fit into the address, encoded or not', async () => {
  const params = Array.from({ length: 63 }, (_, n) => `${String(n).padStart(24, '0')}(columnIndex:${n})`).join(',');
  for (const text of [params, encodeURIComponent(params)]) {
    expect((await gateway.ask(`${PATH}?params=${text}`, { method: 'PUT', body: BODY })).status).toBe(202);
    expect(sent()?.params).toBe(params);
  }
});

test('arguments that are absent or empty have their defaults', async () => {
  await gateway.ask(`${PATH}?params=${A}&columnIndex=7`, { method: 'PUT', body: BODY });
  expect(sent()).toMatchObject({ params: A, columnIndex: 7, ...DEFAULTS });
  await gateway.ask(`${PATH}?params=&columnIndex=&writeMode=`, { method: 'PUT', body: BODY });
  expect(sent()).toMatchObject({ params: '', columnIndex: undefined, ...DEFAULTS });
});

test.each([
  ['format=CSV', 'format: must be JSON'],
  ['columnIndex=x', 'columnIndex: must be a whole number'],
  ['writeMode=REPLACE', 'writeMode: must be one of'],
  ['notifyOn=NEVER', 'notifyOn: must be one of'],
  ['columnIndex=-1', 'columnIndex: must be a whole number'],
])('%s is refused before the service is asked', async (query, message) => {
  const before = gateway.calls.filter(({ rpc }) => rpc === 'writeMany').length;
  const reply = await gateway.ask(`${PATH}?${query}`, { method: 'PUT', body: BODY });
  expect([reply.status, reply.json()]).toEqual([
    400,
    { error: expect.objectContaining({ message: expect.stringContaining(message) }) },
  ]);
  expect(gateway.calls.filter(({ rpc }) => rpc === 'writeMany')).toHaveLength(before);
});

test('GET asks once for all of params, whatever else is given', async () => {
  const params = `${A}(aggregate:AVERAGE;interval:1H),${B}`;
  const reply = await gateway.ask(`${PATH}?params=${params}&baseTime=D&limit=5`);
  expect(reply.status).toBe(200);
  const asked = gateway.calls.filter(({ rpc }) => rpc === 'readMany');
  expect(asked).toHaveLength(1);
  expect(asked[0]?.request).toMatchObject({ arguments: { params, baseTime: 'D', limit: '5' } });
  expect(asked[0]?.request.arrivalMs).toBeGreaterThan(0);
});

test('a write can be asked for by its account alone', async () => {
  const { write } = (await gateway.ask(PATH, { method: 'PUT', body: BODY })).json() as { write: string };
  const reply = await gateway.ask(`/api/v1/writes/${write}?wait=3`);
  expect([reply.status, reply.json()]).toEqual([200, { durable: true, readable: true }]);
  expect(gateway.calls.findLast(({ rpc }) => rpc === 'getWriteState')?.request).toEqual({
    parts: [{ sourceId: '2'.repeat(24), sequence: 7, nodeIds: ['1'.repeat(24)] }],
    waitMs: 3_000,
  });
  for (const other of [`${write}A`, write.slice(1), 'x', '1'.repeat(24)])
    expect((await gateway.ask(`/api/v1/writes/${other}`)).status).toBe(404);
  const late = await gateway.ask(`/api/v1/writes/${write}?wait=31`);
  expect([late.status, late.text]).toEqual([400, expect.stringContaining('wait: must be')]);
});
