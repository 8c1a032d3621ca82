import { NodeConfig } from '@catchment/contracts/nodes';
import { vi } from 'vitest';
import { NodeReplica } from './node-replica.ts';

const node = NodeConfig.fromPartial({ nodeId: 'a'.repeat(24), ownerId: 'b'.repeat(24), revision: 1, name: 'Level' });
const signal = new AbortController().signal;

/** Makes a replica whose table and nodes service are empty. */
const emptyReplica = (keepMs?: number) =>
  new NodeReplica({
    database: { query: async () => ({ rows: [], rowCount: 0 }) },
    nodes: { resolveNodes: (async () => ({ nodes: [] })) as never },
    signer: { sign: async () => 'token' },
    service: 'test',
    view: ({ name }) => name,
    max: 10,
    ...(keepMs && { keepMs }),
  });

const startMs = performance.now();
const clock = vi.spyOn(performance, 'now');
/** The cache reads the clock once a millisecond at most. */
const pass = async (ms: number) => {
  clock.mockReturnValue(startMs + ms);
  await new Promise((resolve) => setTimeout(resolve, 5));
};
beforeEach(() => pass(0));
afterAll(() => clock.mockRestore());

test('a node that nobody knows is looked up again after ten seconds', async () => {
  const replica = emptyReplica();
  await replica.find([node], signal);
  await pass(9_900);
  expect(replica.peek(node.nodeId)).toBe('absent');
  await pass(10_100);
  expect(replica.peek(node.nodeId)).toBeUndefined();
});

test('a node is believed as long as the service says; that one is deleted, for good', async () => {
  const [brief, lasting] = [emptyReplica(1_000), emptyReplica()];
  for (const replica of [brief, lasting]) replica.learn(node);
  await pass(1_100);
  expect([brief.peek(node.nodeId), lasting.peek(node.nodeId)]).toEqual([undefined, 'Level']);
  for (const replica of [brief, lasting]) replica.forget(node);
  await pass(1_000_000);
  expect([brief.peek(node.nodeId), lasting.peek(node.nodeId)]).toEqual(['absent', 'absent']);
});
