import { HANGS_AFTER_MS } from '@catchment/testkit';
import { deleteNodes } from '../src/nodes/store/pg-nodes.ts';
import { applyBatches } from '../src/values/index.ts';
import { decoded, number, T, written } from './applied.ts';
import { openFixture } from './fixture.ts';

let f: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

async function site() {
  const account = await f.account();
  const workspace = await account.create('Workspace', 'W');
  const location = await account.create('location.Location', 'L', workspace._id);
  const source = await account.create('source.data.Jts', 'S', location._id);
  const parameter = await account.create('point.NumberPoint', 'P', source._id);
  return { account, source, parameter };
}
type Site = Awaited<ReturnType<typeof site>>;

let sequence = 0;
/** The sequence says whether a partition has the value already: each time a later one. */
const apply = ({ account: { ownerId }, source, parameter }: Site, value: number, partition = 0) => {
  sequence += 1;
  const acquisition = {
    nodeId: source._id,
    isSource: true,
    rows: 1,
    parameters: 1,
    timeMs: T,
    username: 'x',
    origin: 'y',
  };
  const batches = decoded({
    logSequence: sequence,
    ...written(parameter._id, ownerId, number(T + value, value)),
    acquisitions: [acquisition],
  } as never);
  const deps = { database: f.database, readEdges: async () => new Map(), acquisitionEventMs: 60_000 };
  return applyBatches(deps, partition, batches, AbortSignal.timeout(HANGS_AFTER_MS));
};

test('a deletion waits for no value update of other nodes, and no value update of others for it', async () => {
  const [first, other] = [await site(), await site()];
  // Something has come through these partitions before.
  for (const partition of [0, 1]) await apply(first, 1, partition);
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // This stands for an update of values that takes long: its partition and its node are locked.
  const updating = f.database.transactionOnce(async (tx) => {
    await tx.query('SELECT FROM partition_progress WHERE partition = 1 FOR UPDATE');
    await tx.query('SELECT FROM node_values WHERE node_id = $1 FOR UPDATE', [first.parameter._id]);
    began.resolve();
    await release.promise;
  });
  await began.promise;
  try {
    await other.account.remove(other.source._id);
  } finally {
    release.resolve();
    await updating;
  }
  await expect(other.account.get(other.source._id)).rejects.toMatchObject({ kind: 'not_found' });

  const [held, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const third = await site();
  // This stands for a deletion that takes long.
  const deleting = f.database.transactionOnce(async (tx) => {
    await deleteNodes(tx, [third.parameter._id]);
    held.resolve();
    await done.promise;
  });
  await held.promise;
  try {
    await apply(first, 7);
  } finally {
    done.resolve();
    await deleting;
  }
  expect((await first.account.get(first.parameter._id)).currentValue).toBe(7);
});

test('values that arrive while their node is deleted leave nothing behind, and neither side fails', async () => {
  const sites = await Promise.all(Array.from({ length: 8 }, site));
  await Promise.all(
    sites.flatMap((site, partition) => [
      (async () => {
        for (let n = 0; n < 20; n += 1) await apply(site, n, 10 + partition);
      })(),
      site.account.remove(site.source._id),
    ]),
  );
  const ids = sites.flatMap(({ source, parameter }) => [source._id, parameter._id]);
  for (const table of ['nodes', 'node_values', 'acquisition_windows']) {
    const { rowCount } = await f.database.query(`SELECT FROM ${table} WHERE node_id = ANY($1)`, [ids]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
});

test('the number of an account’s nodes is kept with it, through cascades and requests at once', async () => {
  const { account } = await site();
  const counted = async () => {
    const { rows } = await f.database.query<{ kept: number; real: number }>(
      `SELECT node_count AS kept, (SELECT count(*) FROM nodes n WHERE n.owner_id = o.owner_id) AS real
       FROM owners o WHERE owner_id = $1`,
      [account.ownerId],
    );
    return rows[0];
  };
  const workspace = await account.create('Workspace', 'Many');
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) => account.create('location.Location', `L${n}`, workspace._id)),
  );
  await Promise.all([
    ...made.slice(0, 4).map(({ _id }) => account.remove(_id)),
    ...made.slice(4, 8).map(({ _id }) => account.clone(_id, { name: `copy of ${_id}`, parentId: workspace._id })),
  ]);
  const before = await counted();
  expect(before?.kept).toBe(before?.real);
  await account.remove(workspace._id);
  const after = await counted();
  expect(after?.kept).toBe(after?.real);
  // Straight in the database: a parent takes those below it along.
  await f.database.query(`DELETE FROM nodes WHERE owner_id = $1 AND parent_id IS NULL`, [account.ownerId]);
  expect(await counted()).toEqual({ kept: 0, real: 0 });
});
