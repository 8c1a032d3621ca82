import { unavailable } from '@catchment/errors';
import { newObjectId, partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { until } from '@catchment/testkit';
import { seriesNode } from '../../../test/series.ts';
import type { WriteDeps } from './write-deps.ts';
import { writeMany } from './write-many.ts';

const PARTITIONS = 4;
const caller = {
  kind: 'api',
  ownerId: newObjectId(),
  userId: newObjectId(),
  username: 'jo',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
} as const;

/** Makes a node of each partition, two of the first, and an append whose acknowledgements the test gives. */
function setUp() {
  const nodes = [0, 0, 1, 2].map((wanted) => {
    for (;;) {
      const node = seriesNode({ ownerId: caller.ownerId });
      if (partitionOf(node.sourceId, PARTITIONS) === wanted) return node;
    }
  });
  const appended: { partition: number; entries: readonly LogEntry[]; acknowledge: () => void; refuse: () => void }[] =
    [];
  const unused = () => Promise.reject(new Error('unused'));
  const deps: WriteDeps = {
    catalogue: {
      resolve: unused,
      resolveAll: async () => nodes,
      checkVisible: unused,
      parametersOf: unused,
      refreshParameters: unused,
      findKnown: async () => undefined,
      nodesOf: unused,
      ensure: unused,
    },
    append: (partition, entries) =>
      new Promise((resolve, reject) => {
        appended.push({
          partition,
          entries,
          acknowledge: () => resolve(1),
          refuse: () => reject(unavailable('INGEST_BUSY')),
        });
      }),
    limits: {
      within: async (sources, write) => {
        await write(sources.map(() => new Set()));
      },
      forget: () => {},
    },
    reader: { scan: unused },
    qualityOf: unused,
    partitions: PARTITIONS,
    now: () => 1_000,
  };
  const body = Buffer.from(
    JSON.stringify({ docType: 'jts', data: [{ ts: '2024-01-01T00:00:00Z', f: { 0: { v: 1 } } }] }),
  );
  const params = nodes.map(({ nodeId }) => `${nodeId}(columnIndex:0)`).join(',');
  const outcome: { value: unknown } = { value: 'open' };
  const done = writeMany(
    deps,
    { body, params, writeMode: '', notifyOn: '' },
    { caller, token: '', deadlineMs: 10_000 },
  ).then(
    (rows) => {
      outcome.value = rows;
    },
    (error: unknown) => {
      outcome.value = error;
    },
  );
  /** A document is read in slices, of which a machine that stands still makes more. */
  const isAppended = () => until(() => appended.length >= 3, { what: 'each partition has its entries' });
  return { nodes, appended, isAppended, outcome, done };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('one append for each partition, each node with its column and then its acquisition', async () => {
  const { appended, nodes, isAppended } = setUp();
  await isAppended();
  expect(appended.map(({ partition }) => partition)).toEqual([0, 1, 2]);
  const [first, second] = nodes;
  const named = appended[0]?.entries.map((entry) =>
    entry.kind === 'column' ? entry.column.nodeId : entry.kind === 'acquisition' ? entry.acquisition.nodeId : '',
  );
  expect(named).toEqual([first?.nodeId, first?.nodeId, second?.nodeId, second?.nodeId]);
});

test('answers only when every partition has acknowledged', async () => {
  const { appended, isAppended, outcome, done } = setUp();
  await isAppended();
  for (const call of appended) {
    expect(outcome.value).toBe('open');
    call.acknowledge();
    await settle();
  }
  await done;
  expect(outcome.value).toBe(4);
});

test('a partition that refuses is reported, after the others are settled', async () => {
  const { appended, isAppended, outcome, done } = setUp();
  await isAppended();
  appended[1]?.refuse();
  appended[0]?.acknowledge();
  await settle();
  expect(outcome.value).toBe('open');
  appended[2]?.acknowledge();
  await done;
  expect(outcome.value).toMatchObject({ kind: 'unavailable' });
});
