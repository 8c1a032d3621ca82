import { newObjectId, partitionOf } from '@catchment/ids';
import { caller, type Historic, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const TS = '2024-01-01T00:00:00.000Z';

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

type Node = ReturnType<Historic['parameter']>;
const values = async (node: Node) => {
  const { text } = await historic.readText(node, { startTime: '2000-01-01', endTime: '2100-01-01' });
  return JSON.parse(text).data.map(({ f }: { f: { 0: { v: unknown } } }) => f[0].v);
};
const body = (fields: object, header?: object) => ({
  docType: 'jts',
  version: '1.0',
  ...(header && { header }),
  data: [{ ts: TS, f: fields }],
});
/** Makes parameters of one account, each of a separate source. */
function parameters(count: number, change: object = {}): { nodes: Node[]; who: ReturnType<typeof caller> } {
  const ownerId = newObjectId();
  const nodes = Array.from({ length: count }, () => historic.parameter(change, { ownerId }));
  return { nodes, who: caller(ownerId) };
}
const paramsOf = (...targets: [Node, number][]) =>
  targets.map(([node, index]) => `${node.nodeId}(columnIndex:${index})`).join(',');

test('columns go to the nodes that params names, without header; columns not named are ignored', async () => {
  const { nodes, who } = parameters(2);
  const [a, b] = nodes as [Node, Node];
  const rows = await historic.writeMany(
    body({ 0: { v: 1 }, 1: { v: 'ignored' }, 3: { v: 4 } }),
    { params: paramsOf([a, 0], [b, 3]) },
    who,
  );
  expect(rows).toBe(2);
  await historic.idle();
  expect([await values(a), await values(b)]).toEqual([[1], [4]]);
});

test('without params every column names its node, also by customId and of every type', async () => {
  const ownerId = newObjectId();
  const level = historic.parameter({}, { ownerId, customId: 'level-1' });
  const text = historic.parameter({ valueType: TYPES.TEXT }, { ownerId });
  const place = historic.parameter({ valueType: TYPES.COORDINATES }, { ownerId, class: 'location.Location' });
  const header = { columns: { 0: { id: '@level-1' }, 2: { id: text.nodeId }, 5: { id: place.nodeId } } };
  const fields = { 0: { v: true }, 2: { v: 'wet' }, 5: { v: { $coords: [1, 2] } } };
  await historic.writeMany(body(fields, header), {}, caller(ownerId));
  await historic.idle();
  expect([await values(level), await values(text), await values(place)]).toEqual([[1], ['wet'], [{ $coords: [1, 2] }]]);
});

test('one column for two nodes, two columns for one node, a column without data', async () => {
  const { nodes, who } = parameters(3);
  const [a, b, c] = nodes as [Node, Node, Node];
  const document = {
    ...body({ 0: { v: 1 } }),
    data: [
      { ts: TS, f: { 0: { v: 1 } } },
      { ts: '2024-01-02T00:00:00Z', f: { 1: { v: 2 } } },
    ],
  };
  await historic.writeMany(document, { params: paramsOf([a, 0], [b, 0], [b, 1], [c, 9]) }, who);
  await historic.idle();
  expect([await values(a), await values(b), await values(c)]).toEqual([[1], [1, 2], []]);
  const reported = historic.applied.flatMap((batch) => batch.acquisitions).filter(({ nodeId }) => nodeId === c.nodeId);
  expect(reported).toEqual([]);
});

test('63 nodes in one request, over all partitions, asked for once', async () => {
  const { nodes, who } = parameters(63);
  expect(new Set(nodes.map(({ sourceId }) => partitionOf(sourceId, 2))).size).toBe(2);
  const asked = historic.nodes.asked;
  const fields = Object.fromEntries(nodes.map((_, n) => [n, { v: n }]));
  await historic.writeMany(
    body(fields),
    { params: paramsOf(...nodes.map((node, n): [Node, number] => [node, n])) },
    who,
  );
  expect(historic.nodes.asked).toBe(asked + 1);
  await historic.idle();
  expect(await Promise.all(nodes.map(values))).toEqual(nodes.map((_, n) => [n]));
});

test('writeMode and notifyOn hold for all columns', async () => {
  const { nodes, who } = parameters(2);
  const params = paramsOf([nodes[0] as Node, 0], [nodes[1] as Node, 1]);
  await historic.writeMany(body({ 0: { v: 1 } }), { params }, who);
  await historic.writeMany(body({ 0: { v: 2 }, 1: { v: 2 } }), { params, writeMode: 'MERGE_FAIL_ON_EXISTING' }, who);
  await historic.writeMany(body({ 0: { v: 3 }, 1: { v: 3 } }), { params, writeMode: 'DISCARD' }, who);
  await historic.idle();
  expect(await Promise.all(nodes.map(values))).toEqual([[1], [2]]);
});

describe('bad input: nothing is appended', () => {
  const ok = () => parameters(1);
  test.each<[string, (node: Node) => { document?: unknown; given?: object }, string]>([
    ['no params and no header', () => ({}), 'header.columns: must name the node'],
    ['a header without id', () => ({ document: body({}, { columns: { 0: { name: 'a' } } }) }), 'header.columns.0.id: '],
    ['params without columnIndex', (node) => ({ given: { params: node.nodeId } }), 'params: columnIndex'],
    ['an unknown writeMode', (node) => ({ given: { params: paramsOf([node, 0]), writeMode: 'X' } }), 'writeMode: '],
    ['an unknown notifyOn', (node) => ({ given: { params: paramsOf([node, 0]), notifyOn: 'X' } }), 'notifyOn: '],
    [
      'another docType',
      (node) => ({ document: { docType: 'x' }, given: { params: paramsOf([node, 0]) } }),
      'docType: ',
    ],
    [
      'a bad timestamp',
      (node) => ({ document: { docType: 'jts', data: [{ ts: 'x', f: {} }] }, given: { params: paramsOf([node, 0]) } }),
      'data[0].ts',
    ],
    [
      'a wrong value in the last of two columns',
      (node) => ({ document: body({ 0: { v: 1 }, 1: { v: 'x' } }), given: { params: paramsOf([node, 0], [node, 1]) } }),
      'data[0].f.1.v: must be a number',
    ],
    [
      'a quality out of range',
      (node) => ({ document: body({ 0: { v: 1, q: 65_536 } }), given: { params: paramsOf([node, 0]) } }),
      'data[0].f.0.q',
    ],
  ])('%s', async (_what, make, text) => {
    const { nodes, who } = ok();
    const before = historic.messages.length;
    const { document = body({ 0: { v: 1 } }), given = {} } = make(nodes[0] as Node);
    await expect(historic.writeMany(document, given, who)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(text),
    });
    await historic.idle();
    expect(historic.messages).toHaveLength(before);
  });

  test('a data source, and a parameter that is calculated, are no targets', async () => {
    const ownerId = newObjectId();
    const source = historic.source({ ownerId });
    const rating = historic.parameter({ writable: false }, { ownerId });
    for (const node of [source, rating])
      await expect(
        historic.writeMany(body({ 0: { v: 1 } }), { params: `${node.nodeId}(columnIndex:0)` }, caller(ownerId)),
      ).rejects.toMatchObject({ kind: 'invalid_argument', message: expect.stringMatching(/^node: /) });
  });

  test('one node unknown, of another account or of another workspace: none is written', async () => {
    const { nodes, who } = parameters(2);
    const [mine, other] = nodes as [Node, Node];
    const stranger = historic.parameter();
    const limited = { ...who, accessLevel: 'LIMITED_WORKSPACES' as const, workspaceIds: [mine.workspaceId] };
    const params = (ref: string) => ({ params: `${mine.nodeId}(columnIndex:0),${ref}(columnIndex:0)` });
    const before = historic.messages.length;
    for (const ref of [newObjectId(), '@nobody', stranger.nodeId])
      await expect(historic.writeMany(body({ 0: { v: 1 } }), params(ref), who)).rejects.toMatchObject({
        kind: 'not_found',
      });
    await expect(historic.writeMany(body({ 0: { v: 1 } }), params(other.nodeId), limited)).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    // Both nodes are known here now.
    await historic.writeMany(body({}), params(other.nodeId), who);
    await expect(historic.writeMany(body({ 0: { v: 1 } }), params(other.nodeId), limited)).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    await expect(
      historic.writeMany(body({ 0: { v: 1 } }), params(other.nodeId), { ...who, permission: 'READ_ONLY' }),
    ).rejects.toMatchObject({ kind: 'permission_denied' });
    await historic.idle();
    expect(historic.messages).toHaveLength(before);
  });
});
