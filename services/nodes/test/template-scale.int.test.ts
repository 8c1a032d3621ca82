import { unavailable } from '@catchment/errors';
import type { Database, Queryable } from '@catchment/pg';
import { until } from '@catchment/testkit';
import { propagateDue } from '../src/templates/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';

/** Instances have 20 nodes each; TEMPLATE_INSTANCES makes them more: a thousand take a minute. */
const INSTANCES = Number(process.env.TEMPLATE_INSTANCES ?? 200);
const NODES = 20;
const PER_WORKSPACE = 50;

type Api = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
let api: Api;
let template: Json;
let source: Json;
let points: Json[];

beforeAll(async () => {
  f = await openFixture();
  api = await f.account();
  const templates = await api.create('Templates', 'Templates');
  template = await api.create('location.Location', 'Station', templates._id);
  source = await api.create('source.data.Jts', 'Logger', template._id);
  points = [];
  for (let n = 2; n < NODES; n += 1)
    points.push(await api.create('point.NumberPoint', `P${n}`, source._id, { overrides: ['units'] }));
  const workspace = await api.create('Workspace', 'Site');
  const first = Math.min(PER_WORKSPACE, INSTANCES);
  for (let n = 0; n < first; n += 1)
    await api.clone(template._id, { parentId: workspace._id, name: `I${n}` }, { attr: '_id' });
  // Copies of instances are instances.
  for (let n = first; n < INSTANCES; n += first) await api.clone(workspace._id, {}, { attr: '_id' });
});
afterAll(() => f.close());

const following = async (nodeId: string, attr: string) =>
  (await api.list({ filter: `templateNodeId($eq:${nodeId})`, attr: `_id,${attr}` })).list;

test(`${INSTANCES} instances of ${NODES} nodes follow while people change some of them: nothing is lost`, async () => {
  const roots = await following(template._id, 'name');
  expect(roots.length).toBeGreaterThanOrEqual(INSTANCES);
  const airs = await following(points[0]!._id, 'units');
  const edited = airs.filter((_, n) => n % Math.ceil(airs.length / 40) === 0);
  let isOver = false;
  const change = async () => {
    await api.update(source._id, { quietMaxSeconds: 7_200 });
    await api.update(points[0]!._id, { multiplier: 2, name: 'Air' });
    await api.remove(points[1]!._id);
    await api.create('point.TextPoint', 'Note', source._id);
    isOver = true;
  };
  const edit = async () => {
    let done = 0;
    for (const [n, { _id }] of edited.entries()) {
      await api.update(_id, { units: `u${n}`, customId: `c${n}` });
      if (!isOver) done += 1;
    }
    return done;
  };
  const [, done] = await Promise.all([change(), edit()]);
  // Some of them came in between.
  expect(done).toBeGreaterThan(0);
  await propagateDue(f);
  const now = new Map(
    (await following(points[0]!._id, 'name,units,multiplier,customId')).map((instance) => [instance._id, instance]),
  );
  for (const [n, { _id }] of edited.entries())
    expect(now.get(_id)).toEqual({ _id, name: 'Air', units: `u${n}`, multiplier: 2, customId: `c${n}` });
  expect([...now.values()].filter(({ name, multiplier }) => name !== 'Air' || multiplier !== 2)).toEqual([]);
  expect((await following(source._id, 'quietMaxSeconds')).every((instance) => instance.quietMaxSeconds === 7_200)).toBe(
    true,
  );
  expect(await following(points[1]!._id, 'name')).toEqual([]);
  const { list } = await api.list({ filter: 'name($eq:Note)', attr: 'parentId,templateNodeId' });
  expect(new Set(list.map(({ parentId }) => parentId)).size).toBe(roots.length + 1);
});

test('a propagation that is broken off leaves each instance old or new as a whole, and is finished later', async () => {
  const roots = await following(template._id, 'name');
  f.clock.answerWaitMs = 0;
  await api.update(points[2]!._id, { offset: 5 });
  const added = await api.create('point.NumberPoint', 'Late', source._id);
  await api.remove(points[3]!._id);
  const stop = { after: Math.floor((roots.length * NODES) / 500 / 3) };
  await expect(propagateDue({ ...f, database: breaking(f.database, stop) })).rejects.toMatchObject({
    reason: 'PEER_UNAVAILABLE',
  });

  const { rows } = await f.database.query<{ is_new: boolean; is_old: boolean; n: number }>(
    `SELECT is_new, is_old, count(*) AS n FROM (
       SELECT bool_or(template_node_id = $2 AND (config ->> 'offset')::int = 5) AND bool_or(template_node_id = $3)
           AND NOT bool_or(template_node_id = $4) AS is_new,
         bool_or(template_node_id = $2 AND config ->> 'offset' IS NULL) AND NOT bool_or(template_node_id = $3)
           AND bool_or(template_node_id = $4) AS is_old
       FROM nodes WHERE owner_id = $1 AND instance_id IS NOT NULL GROUP BY instance_id) i GROUP BY is_new, is_old`,
    [api.ownerId, points[2]!._id, added._id, points[3]!._id],
  );
  expect(rows.every(({ is_new, is_old }) => is_new !== is_old)).toBe(true);
  expect(rows.map(({ n }) => n).reduce((a, b) => a + b, 0)).toBe(roots.length);
  expect(rows).toHaveLength(2);

  f.clock.nowMs += 61_000;
  const counting = { after: Number.POSITIVE_INFINITY, transactions: 0 };
  await propagateDue({ ...f, database: breaking(f.database, counting) });
  const offsets = await following(points[2]!._id, 'offset');
  expect(offsets.every(({ offset }) => offset === 5)).toBe(true);
  expect(await following(added._id, 'name')).toHaveLength(roots.length);
  expect(await following(points[3]!._id, 'name')).toEqual([]);
  // Each is announced once, however often the work was begun.
  const ids = new Set(offsets.map(({ _id }) => _id));
  const reported = () =>
    f.published.events.filter((event) => ids.has(event.nodeId) && event.message === 'Updated offset');
  await until(() => reported().length >= ids.size);
  expect(reported()).toHaveLength(ids.size);
  // No transaction has more than some 500 nodes.
  const old = rows.find(({ is_old }) => is_old)!.n;
  expect(counting.transactions).toBeGreaterThanOrEqual((old * NODES) / 500);
});

test('the instances of a deleted template go, though the work is broken off in between', async () => {
  const rows = async (table: string) =>
    (await f.database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE template_id = $1`, [template._id]))
      .rows[0]!.n;
  const before = await rows('instances');
  f.clock.answerWaitMs = 0;
  await api.remove(template._id);
  expect(await rows('instances')).toBe(before);
  const stop = { after: Math.ceil((before * NODES) / 500 / 2) };
  await expect(propagateDue({ ...f, database: breaking(f.database, stop) })).rejects.toMatchObject({
    reason: 'PEER_UNAVAILABLE',
  });
  const between = await rows('instances');
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(before);
  await propagateDue(f);
  expect([await rows('instances'), await rows('templates')]).toEqual([0, 0]);
  const { rows: left } = await f.database.query<{ class: string }>(
    'SELECT DISTINCT class FROM nodes WHERE owner_id = $1 ORDER BY class',
    [api.ownerId],
  );
  expect(left.map((row) => row.class)).toEqual(['Templates', 'Workspace']);
  const reported = () => f.published.events.filter(({ message }) => message.startsWith("Deleted node 'I"));
  await until(() => reported().length >= before);
  expect(reported()).toHaveLength(before);
});

/** Makes a database whose process dies in the middle of a transaction. */
function breaking(database: Database, stop: { after: number; transactions?: number }): Database {
  const transaction = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      stop.transactions = (stop.transactions ?? 0) + 1;
      const result = await work(tx);
      if (stop.transactions > stop.after) throw unavailable('PEER_UNAVAILABLE');
      return result;
    });
  return new Proxy(database, {
    get: (target, name) => {
      if (name === 'transaction') return transaction;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
