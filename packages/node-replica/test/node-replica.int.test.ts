import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchHandler, BusMessage } from '@catchment/bus';
import { NodeConfig, type ResolveNodesRequest } from '@catchment/contracts/nodes';
import { NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { notFound } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { Database } from '@catchment/pg';
import { type TestDatabase, testDatabase } from '@catchment/testkit';
import {
  followNodes,
  lockNodes,
  markDeleted,
  NodeDirectory,
  NodeReplica,
  newestChanges,
  nodesOfSources,
  purgeDeleted,
  type Requester,
  readNodes,
  saveNodes,
  watchNodes,
} from '../src/index.ts';
import { followTimezones } from './example.ts';

const DAY_MS = 86_400_000;
const signer = { sign: async () => 'token' };
const { signal } = new AbortController();
let scratch: TestDatabase;
let database: Database;

const readme = () => readFile(join(import.meta.dirname, '../README.md'), 'utf8');
const blockOf = (text: string, language: string) => text.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

beforeAll(async () => {
  scratch = await testDatabase();
  await scratch.query(blockOf(await readme(), 'sql'));
  database = new Database({ url: scratch.url, schema: 'public', applicationName: 'test', rehearsesTransactions: true });
});
afterAll(async () => {
  await database.close();
  await scratch.drop();
});

function config(change: Parameters<typeof NodeConfig.fromPartial>[0] = {}): NodeConfig {
  const nodeId = newObjectId();
  const ids = { nodeId, sourceId: nodeId, ownerId: newObjectId(), workspaceId: newObjectId() };
  return NodeConfig.fromPartial({ ...ids, class: 'point.NumberPoint', name: 'Level', revision: 1, ...change });
}

/** The part of the nodes service that is called. */
function fakeNodes(...known: NodeConfig[]) {
  const asked: Partial<ResolveNodesRequest>[] = [];
  const resolveNodes = async (request: Partial<ResolveNodesRequest>) => {
    asked.push(request);
    const nodes = (request.nodeRefs ?? []).flatMap((ref) => {
      const node = known.find((node) => node.nodeId === ref || `@${node.customId}` === ref);
      if (!node && !request.skipsMissing) throw notFound({ reference: ref });
      return node ?? [];
    });
    return { nodes };
  };
  return { asked, known, resolveNodes: resolveNodes as never };
}

const replicaOf = (nodes: ReturnType<typeof fakeNodes>, max = 100) =>
  new NodeReplica({ database, nodes, signer, service: 'test', max, view: ({ name }) => name });

describe('the table', () => {
  test('keeps the higher revision, and says which nodes were new in it', async () => {
    const node = config({ revision: 5 });
    expect(await saveNodes(database, [node])).toEqual(new Set([node.nodeId]));
    const [older, newer] = [4, 6].map((revision) => ({ ...node, revision, name: `at ${revision}` })) as [
      NodeConfig,
      NodeConfig,
    ];
    expect(await saveNodes(database, [older])).toEqual(new Set());
    expect(await saveNodes(database, [newer, older])).toEqual(new Set([node.nodeId]));
    expect((await readNodes(database, [node.nodeId])).get(node.nodeId)).toEqual(newer);
  });

  test('a deleted node stays deleted, also one that was never known, until it is purged', async () => {
    const [known, unknown] = [config(), config()];
    await saveNodes(database, [known]);
    await markDeleted(database, known.ownerId, [known, unknown, known]);
    expect(await saveNodes(database, [{ ...known, revision: 9 }, unknown])).toEqual(new Set());
    const ids = [known.nodeId, unknown.nodeId];
    expect([...(await readNodes(database, ids)).values()]).toEqual(['deleted', 'deleted']);
    await purgeDeleted(database, Date.now() + 29 * DAY_MS);
    expect((await readNodes(database, ids)).size).toBe(2);
    await purgeDeleted(database, Date.now() + 31 * DAY_MS);
    expect((await readNodes(database, ids)).size).toBe(0);
  });

  test('locks live nodes with their sources', async () => {
    const source = config({ source: { isEnabled: false } });
    const place = { ownerId: source.ownerId, sourceId: source.nodeId };
    const [child, orphan, gone] = [config(place), config({ sourceId: newObjectId() }), config(place)];
    await saveNodes(database, [source, child, orphan, gone]);
    await markDeleted(database, gone.ownerId, [gone]);
    const locked = await lockNodes(database, [child.nodeId, orphan.nodeId, gone.nodeId]);
    expect(locked.get(child.nodeId)).toEqual({ node: child, source });
    expect(locked.get(orphan.nodeId)).toEqual({ node: orphan, source: undefined });
    expect(locked.size).toBe(2);
  });

  test('lists what belongs to sources, in their accounts only, and no more of each than is asked for', async () => {
    const [source, other] = [config(), config()];
    const childOf = ({ ownerId, nodeId }: NodeConfig) => config({ ownerId, sourceId: nodeId });
    const [child, ...others] = [childOf(source), childOf(other), childOf(other), childOf(other)];
    await saveNodes(database, [source, other, child, ...others, config({ sourceId: source.nodeId })]);
    expect(await nodesOfSources(database, [source], 10)).toEqual([child]);
    const found = await nodesOfSources(database, [source, other], 2);
    expect(found).toContainEqual(child);
    expect(found).toHaveLength(3);
    expect(await nodesOfSources(database, [], 10)).toEqual([]);
  });
});

describe('a replica', () => {
  test('asks nodes only for what the table lacks, and keeps the answer', async () => {
    const [stored, unknown] = [config({ name: 'stored' }), config({ name: 'asked for' })];
    await saveNodes(database, [stored]);
    const nodes = fakeNodes(unknown);
    const replica = replicaOf(nodes);
    expect(replica.peek(stored.nodeId)).toBeUndefined();
    expect([...(await replica.find([stored, unknown], signal)).values()]).toEqual([stored, unknown]);
    expect([replica.peek(stored.nodeId), replica.peek(unknown.nodeId)]).toEqual(['stored', 'asked for']);
    expect(nodes.asked).toEqual([{ nodeRefs: [unknown.nodeId], ownerId: unknown.ownerId, skipsMissing: true }]);
    await replicaOf(nodes).find([unknown], signal);
    expect(nodes.asked).toHaveLength(1);
  });

  test('a node that nobody knows is absent, until its creation passes', async () => {
    const node = config();
    const replica = replicaOf(fakeNodes());
    expect(await replica.find([node], signal)).toEqual(new Map());
    expect(replica.peek(node.nodeId)).toBe('absent');
    replica.learn(node);
    expect(replica.peek(node.nodeId)).toBe('Level');
  });

  test('a node of another account is not found', async () => {
    const node = config();
    await saveNodes(database, [node]);
    expect(await replicaOf(fakeNodes()).find([{ ...node, ownerId: newObjectId() }], signal)).toEqual(new Map());
  });

  test('many are asked for in calls of bounded size, by account', async () => {
    const ownerId = newObjectId();
    const many = Array.from({ length: 450 }, () => config({ ownerId }));
    const other = config();
    const nodes = fakeNodes(...many, other);
    expect((await replicaOf(nodes).find([...many, other], signal)).size).toBe(451);
    expect(nodes.asked.map(({ nodeRefs }) => nodeRefs?.length)).toEqual([200, 200, 50, 1]);
  });

  test('older news change nothing, and news of a deleted node neither', () => {
    const node = config({ revision: 5 });
    const replica = replicaOf(fakeNodes());
    replica.learn(node);
    replica.learn({ ...node, revision: 4, name: 'older' });
    expect(replica.peek(node.nodeId)).toBe('Level');
    replica.forget(node);
    replica.learn({ ...node, revision: 6 });
    expect(replica.peek(node.nodeId)).toBe('absent');
  });

  test('what does not fit into memory is looked up again', async () => {
    const [first, second] = [config(), config()];
    const replica = replicaOf(fakeNodes(), 1);
    replica.learn(first);
    replica.learn(second);
    expect(replica.peek(first.nodeId)).toBeUndefined();
  });
});

describe('a directory', () => {
  const requester = (node: NodeConfig, scope: Partial<Requester['scope']> = {}): Requester => ({
    scope: { ownerId: node.ownerId, workspaceIds: undefined, ...scope },
    isService: false,
    token: 'of the caller',
  });
  const directoryOf = (nodes: ReturnType<typeof fakeNodes>) =>
    new NodeDirectory({ database, nodes, signer, service: 'test', max: 100 });

  test('finds by id and customId: memory, then the table, then nodes', async () => {
    const node = config({ customId: 'well-1' });
    const nodes = fakeNodes(node);
    const first = directoryOf(nodes);
    for (const ref of [node.nodeId, node.nodeId.toUpperCase(), '@well-1'])
      expect(await first.resolve(ref, requester(node))).toEqual(node);
    expect(nodes.asked).toHaveLength(1);
    const second = directoryOf(nodes);
    expect(await second.resolve('@well-1', requester(node))).toEqual(node);
    expect(await second.findKnown(node.nodeId, node.ownerId)).toEqual(node);
    expect(nodes.asked).toHaveLength(1);
  });

  test('asks at once for all that is not known, in the order of the references', async () => {
    const known = config({ customId: 'a' });
    const [b, c] = ['b', 'c'].map((customId) => config({ customId, ownerId: known.ownerId })) as [
      NodeConfig,
      NodeConfig,
    ];
    await saveNodes(database, [known]);
    const nodes = fakeNodes(b, c);
    const found = await directoryOf(nodes).resolveAll(['@c', '@a', b.nodeId, '@c'], requester(known));
    expect(found).toEqual([c, known, b, c]);
    expect(nodes.asked).toEqual([{ nodeRefs: ['@c', b.nodeId], ownerId: '', namesMissing: true }]);
  });

  test.each<[string, (node: NodeConfig) => Requester]>([
    ['of another account', (node) => requester({ ...node, ownerId: newObjectId() })],
    ['that is not visible', (node) => requester(node, { visibleIds: [] })],
  ])('a node %s is not found', async (_what, by) => {
    const node = config();
    await saveNodes(database, [node]);
    const directory = directoryOf(fakeNodes());
    await expect(directory.resolve(node.nodeId, by(node))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(directory.resolveAll([node.nodeId], by(node))).rejects.toThrow(node.nodeId);
  });

  test('a node outside the workspaces of the key is refused', async () => {
    const node = config();
    await saveNodes(database, [node]);
    const narrow = requester(node, { workspaceIds: [newObjectId()] });
    const directory = directoryOf(fakeNodes());
    await expect(directory.resolve(node.nodeId, narrow)).rejects.toMatchObject({ kind: 'permission_denied' });
  });

  test('what may be closed to the caller is asked for each time', async () => {
    const node = config();
    await saveNodes(database, [node]);
    const nodes = fakeNodes(node);
    const directory = directoryOf(nodes);
    const narrow = requester(node, { closedTo: { userId: newObjectId(), asOfMs: 1 } });
    for (const n of [1, 2]) {
      await directory.resolve(node.nodeId, narrow);
      expect(nodes.asked).toHaveLength(n);
    }
  });

  test('a deleted node is not found, and nodes is not asked', async () => {
    const [stored, heard] = [config(), config()];
    await saveNodes(database, [stored, heard]);
    await markDeleted(database, stored.ownerId, [stored]);
    const nodes = fakeNodes(stored, heard);
    const directory = directoryOf(nodes);
    directory.forget(heard);
    for (const node of [stored, heard])
      await expect(directory.resolve(node.nodeId, requester(node))).rejects.toMatchObject({ kind: 'not_found' });
    expect(nodes.asked).toEqual([]);
  });

  test('a customId that has moved names the node that has it now', async () => {
    const [before, now] = [config({ customId: 'moving', revision: 1 }), config({ revision: 1 })];
    const taker = { ...now, ownerId: before.ownerId };
    const directory = directoryOf(fakeNodes());
    await saveNodes(database, [before, taker]);
    expect(await directory.resolve('@moving', requester(before))).toEqual(before);
    const moved = [
      { ...before, customId: '', revision: 2 },
      { ...taker, customId: 'moving', revision: 3 },
    ];
    await saveNodes(database, moved);
    for (const node of moved) directory.learn(node);
    expect(await directory.resolve('@moving', requester(before))).toEqual(moved[1]);
  });
});

describe('the bus', () => {
  const changed = (node: NodeConfig | undefined, created = false): BusMessage =>
    message(
      'nodes.node.changed.v1',
      NodeChanged.encode(NodeChanged.fromPartial({ created, ...(node && { node }) })).finish(),
    );
  const deleted = (node: NodeConfig): BusMessage => {
    const { nodeId, sourceId, ownerId } = node;
    return message(
      'nodes.node.deleted.v1',
      NodesDeleted.encode(NodesDeleted.fromPartial({ ownerId, nodes: [{ nodeId, sourceId }] })).finish(),
    );
  };
  const message = (subject: string, data: Uint8Array) => ({ subject, data }) as unknown as BusMessage;

  /** Makes a bus that hands over what a test gives. */
  function fakeBus() {
    let handle: BatchHandler = async () => {};
    const watched = new Map<string, { see: (data: Uint8Array) => void; onGap: () => void }>();
    return {
      readDomain: (_reader: string, handler: BatchHandler) => {
        handle = handler;
        return { stop: async () => {} };
      },
      watch: (subject: string, see: (data: Uint8Array) => void, onGap: () => void) =>
        void watched.set(subject, { see, onGap }),
      deliver: (...messages: BusMessage[]) => handle(messages, signal),
      pass: ({ subject, data }: BusMessage) => watched.get(subject)?.see(data),
      loseConnection: () => {
        for (const { onGap } of watched.values()) onGap();
      },
    };
  }

  test('brings changes and deletions in runs, in the order of the log', async () => {
    const [a, b] = [config({ name: 'a' }), config({ name: 'b' })];
    const bus = fakeBus();
    const seen: string[] = [];
    followNodes(bus, 'devices-nodes', {
      changed: async (changes) => void seen.push(changes.map(({ node }) => node.name).join()),
      deleted: async (deletions) => void seen.push(`${deletions.length} deleted`),
    });
    await bus.deliver(changed(a), changed(b), changed(undefined), deleted(a), deleted(b), changed(a));
    expect(seen).toEqual(['a,b', '2 deleted', 'a']);
  });

  test('a message that cannot be read is refused for good', async () => {
    const bus = fakeBus();
    followNodes(bus, 'devices-nodes', { changed: async () => {}, deleted: async () => {} });
    const unreadable = message('nodes.node.changed.v1', Uint8Array.of(255));
    await expect(bus.deliver(unreadable)).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('of several changes of a node the newest counts, and that it was made', () => {
    const node = config();
    const change = (revision: number, created: boolean) => ({
      node: { ...node, revision },
      created,
      timeMs: revision,
      username: '',
    });
    const newest = newestChanges([change(1, true), change(3, false), change(2, false)]);
    expect(newest).toEqual([change(3, true)]);
  });

  test('what passes is seen at once; after a gap nothing is believed', () => {
    const node = config();
    const bus = fakeBus();
    const replica = replicaOf(fakeNodes());
    watchNodes(bus, replica);
    bus.pass(changed(node));
    expect(replica.peek(node.nodeId)).toBe('Level');
    bus.loseConnection();
    expect(replica.peek(node.nodeId)).toBeUndefined();
    bus.pass(changed(node));
    bus.pass(deleted(node));
    expect(replica.peek(node.nodeId)).toBe('absent');
  });

  test('the example of the README', async () => {
    const example = await readFile(join(import.meta.dirname, 'example.ts'), 'utf8');
    expect(blockOf(await readme(), 'ts')).toBe(example);
    const source = config({ source: { timezone: 'Europe/Berlin' } });
    const late = config({ source: { timezone: 'UTC' } });
    const bus = fakeBus();
    const nodes = fakeNodes(late);
    const timezones = followTimezones({ bus, database, nodes, signer });
    await bus.deliver(changed(source, true));
    expect(await timezones.timezoneOf(source, signal)).toBe('Europe/Berlin');
    expect(await timezones.timezoneOf(late, signal)).toBe('UTC');
    bus.pass(changed({ ...source, revision: 2, source: { ...late.source, timezone: 'Asia/Tokyo' } as never }));
    expect(await timezones.timezoneOf(source, signal)).toBe('Asia/Tokyo');
    bus.pass(deleted(source));
    await bus.deliver(deleted(source));
    expect(await timezones.timezoneOf(source, signal)).toBe('');
    await timezones.stop();
  });
});
