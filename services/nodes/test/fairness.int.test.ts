import { readFile } from 'node:fs/promises';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

/** A machine under load may need it; the queue's own limit is 25 s. */
const PATIENT = { timeoutMs: HANGS_AFTER_MS };
const TREE = { attr: '', type: 'TREE', filter: '', sort: '', skip: 0, expiry: 0 };
const PARAMETERS = 500;

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

type Api = Awaited<ReturnType<Fixture['account']>>;

/** Makes an account with a source of 500 parameters. */
async function seeded(): Promise<Api> {
  const api = await f.account();
  const { source } = await f.source(api);
  await api.ensure(
    source._id,
    Array.from({ length: PARAMETERS }, (_, n) => ({ series: `s${n}`, units: '°C' })),
  );
  return api;
}

const tree = (api: Api) => list(api, TREE);

async function list({ options }: Api, asked: typeof TREE & { readonly limit?: number }): Promise<number> {
  let bytes = 0;
  for await (const { data } of f.nodes.listNodes(asked, { ...options, ...PATIENT })) bytes += data.length;
  return bytes;
}

const ANSWERED_503 = ['TOO_MANY_CHANGES', 'TOO_MANY_LISTS'];
/** Retries after a 503 as a client does: on a machine under load the queue's time may end before all have had their turn. */
async function inTheEnd<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!ANSWERED_503.includes((error as { reason?: string }).reason ?? '')) throw error;
    return inTheEnd(call);
  }
}

async function residentMib(): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

test('60 trees of one account do not keep another account’s waiting, all are answered, and memory stays bounded', async () => {
  const [a, b] = [await seeded(), await seeded()];
  const alone = await tree(a);
  const before = await residentMib();
  const answered: string[] = [];
  const asked = (api: Api, name: string) =>
    inTheEnd(() => tree(api)).then((bytes) => {
      answered.push(name);
      return bytes;
    });
  const flood = Array.from({ length: 60 }, () => asked(a, 'a'));
  await new Promise((resolve) => setImmediate(resolve));
  const other = asked(b, 'b');
  expect(new Set(await Promise.all(flood))).toEqual(new Set([alone]));
  await other;
  // Four of the first account are in work at a time, and some more may end while the other one is on its way. In the order of arrival it were the last.
  expect(answered.indexOf('b')).toBeLessThan(40);
  expect((await residentMib()) - before).toBeLessThan(250);
});

test('short lists of an account do not wait for its own trees and whole lists', async () => {
  const api = await seeded();
  const answered: string[] = [];
  const asked = (name: string, more: object) =>
    inTheEnd(() => list(api, { ...TREE, ...more })).then(() => {
      answered.push(name);
    });
  const flood = [
    ...Array.from({ length: 60 }, () => asked('tree', {})),
    ...Array.from({ length: 60 }, () => asked('list', { type: 'LIST' })),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([1, 2, 3].map((limit) => asked('short', { type: 'LIST', limit })));
  // Three in bulk are in work at a time, and some may end while the short ones are made; in the order of arrival all did.
  expect(answered.length).toBeLessThan(80);
  await Promise.all(flood);
  expect(answered).toHaveLength(123);
});

test('256 nodes made at once are all made, and none is refused because connections are busy', async () => {
  const api = await f.account();
  const { location } = await f.source(api);
  const made = await Promise.all(
    Array.from({ length: 256 }, (_, n) => {
      const body = { _class: 'io.svc.models.node.source.data.Jts', name: `Logger ${n}`, parentId: location._id };
      const request = { body: Buffer.from(JSON.stringify(body)) };
      return inTheEnd(() => f.nodes.createNode(request, { ...api.options, ...PATIENT }));
    }),
  );
  const ids = made.map(({ json }) => (JSON.parse(Buffer.from(json).toString()) as { _id: string })._id);
  expect(new Set(ids).size).toBe(256);
  // A write to historic makes this call for each of them.
  const columns = [{ index: 0, id: '', series: 'level', name: '', dataType: '', units: '' }];
  const ensured = await Promise.all(
    ids.map((sourceId) =>
      inTheEnd(() => f.nodes.ensureParameters({ sourceId, ownerId: '', columns }, { ...api.options, ...PATIENT })),
    ),
  );
  expect(new Set(ensured.flatMap(({ parameters }) => parameters.map(({ nodeId }) => nodeId))).size).toBe(256);
});

test('while one account makes nodes, another reads and makes its own at once', async () => {
  const [a, b] = [await f.account(), await seeded()];
  const workspace = await a.create('Workspace', 'Site');
  let open = 200;
  const flood = Array.from({ length: open }, (_, n) => {
    const body = { _class: 'io.svc.models.node.location.Location', name: `Place ${n}`, parentId: workspace._id };
    const request = { body: Buffer.from(JSON.stringify(body)) };
    return inTheEnd(() => f.nodes.createNode(request, { ...a.options, ...PATIENT })).finally(() => (open -= 1));
  });
  await b.create('Workspace', 'Another');
  await tree(b);
  // In the order of arrival, four at most were left.
  expect(open).toBeGreaterThan(20);
  await Promise.all(flood);
});

test('clones of one account are made one after another, and all are answered', async () => {
  const api = await seeded();
  const [location] = (await api.list({ filter: '_class($match:location)' })).list;
  const [workspace] = (await api.list({ filter: '_class($match:Workspace)' })).list;
  const clones = await Promise.all(
    Array.from({ length: 6 }, (_, n) => api.clone(location!._id, { parentId: workspace!._id, name: `Copy ${n}` })),
  );
  expect(clones.map((nodes) => nodes.length)).toEqual(new Array(6).fill(PARAMETERS + 2));
});
