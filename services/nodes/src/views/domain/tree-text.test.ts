import { listText, treeText, type WrittenNode } from './tree-text.ts';

const node = (nodeId: string, parentId: string | null, key = nodeId, more: object = { _id: nodeId }): WrittenNode => ({
  nodeId,
  parentId,
  key,
  json: JSON.stringify(more),
});
const tree = (nodes: readonly WrittenNode[], parentId: string | null = null) =>
  JSON.parse([...treeText(nodes, parentId)].join('')) as unknown;

test('nodes stand under their parents, by name, every one with children', () => {
  const nodes = [node('c', 'a', '2'), node('b', 'a', '1'), node('a', null), node('d', 'c')];
  const [b, d] = [
    { _id: 'b', children: [] },
    { _id: 'd', children: [] },
  ];
  expect(tree(nodes)).toEqual([{ _id: 'a', children: [b, { _id: 'c', children: [d] }] }]);
  expect(tree(nodes, 'c')).toEqual([d]);
});

test('no nodes are an empty array, and a node without any attribute has its children', () => {
  expect(tree([])).toEqual([]);
  expect(tree([node('a', null, 'a', {})])).toEqual([{ children: [] }]);
});

test('a large tree comes in pieces, and is the same', () => {
  const text = 'x'.repeat(1_000);
  const nodes = Array.from({ length: 2_000 }, (_, n) =>
    node(`${n}`, n === 0 ? null : `${Math.floor((n - 1) / 3)}`, String(n).padStart(5), { n, text }),
  );
  const pieces = [...treeText(nodes, null)];
  expect(pieces.length).toBeGreaterThan(20);
  for (const piece of pieces) expect(piece.length).toBeLessThan(128 * 1_024);
  let count = 0;
  const visit = (all: { n: number; children: never[] }[], parent: number | undefined) => {
    for (const { n, children } of all) {
      count += 1;
      if (parent !== undefined) expect(Math.floor((n - 1) / 3)).toBe(parent);
      visit(children, n);
    }
  };
  visit(JSON.parse(pieces.join('')), undefined);
  expect(count).toBe(2_000);
});

test('a list comes in pieces too', async () => {
  expect(await Array.fromAsync(listText([]))).toEqual(['[]']);
  const nodes = Array.from({ length: 500 }, (_, n) => node(`${n}`, null, '', { n, text: 'é'.repeat(1_000) }));
  const pieces = await Array.fromAsync(listText([nodes.slice(0, 1), [], nodes.slice(1)]));
  expect(pieces.length).toBeGreaterThan(5);
  expect(JSON.parse(pieces.join(''))).toHaveLength(500);
});
