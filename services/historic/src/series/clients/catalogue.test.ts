import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { NodeCatalogue } from './catalogue.ts';

/** The table has a parameter of each source that is asked for. */
function table() {
  const asked: { name: string; count: number }[] = [];
  const query = async (_text: string, values: readonly unknown[], name: string) => {
    const ids = values[0] as string[];
    asked.push({ name, count: ids.length });
    const config = (nodeId: string, sourceId: string) =>
      Buffer.from(
        NodeConfig.encode(
          NodeConfig.fromPartial({
            nodeId,
            sourceId,
            parentId: sourceId,
            ownerId: 'o',
            revision: 1,
            series: { name: 'level' } as never,
          }),
        ).finish(),
      );
    const rows = ids.map((id) =>
      name === 'read-nodes'
        ? { node_id: id, config: config(id, id), is_deleted: false }
        : { config: config(`of ${id}`, id) },
    );
    return { rows };
  };
  const unasked = undefined as never;
  return {
    asked,
    catalogue: new NodeCatalogue({ database: { query } as unknown as Queryable, nodes: unasked, signer: unasked }),
  };
}
const source = () => {
  const nodeId = newObjectId();
  return NodeConfig.fromPartial({ nodeId, sourceId: nodeId, ownerId: 'o' });
};

describe('many sources that are outdated at once', () => {
  test('are read together, and each has its own parameters', async () => {
    const { asked, catalogue } = table();
    const sources = Array.from({ length: 1_000 }, source);
    const found = await Promise.all(sources.map((one) => catalogue.parametersOf(one)));
    expect(found.map((index) => index.all().map(({ nodeId }) => nodeId))).toEqual(
      sources.map(({ nodeId }) => [`of ${nodeId}`]),
    );
    expect(asked.every(({ count }) => count <= 50)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(25);
  });

  test('are not read again while they are known', async () => {
    const { asked, catalogue } = table();
    const one = source();
    const [first, second] = await Promise.all([catalogue.parametersOf(one), catalogue.parametersOf(one)]);
    expect(second.all()).toEqual(first.all());
    expect(await catalogue.parametersOf(one)).toBe(second);
    expect(asked).toEqual([{ name: 'nodes-of-sources', count: 1 }]);
  });
});

test('nodes that many ask for at once are read together, and each gets its own', async () => {
  const { asked, catalogue } = table();
  const ids = Array.from({ length: 3_000 }, () => newObjectId());
  const signal = AbortSignal.timeout(10_000);
  const found = await Promise.all(ids.map((nodeId) => catalogue.find([{ nodeId, ownerId: 'o' }], signal)));
  expect(found.map((nodes) => [...nodes.keys()])).toEqual(ids.map((id) => [id]));
  expect(asked.every(({ count }) => count <= 1_000)).toBe(true);
  expect(asked.length).toBeLessThanOrEqual(5);
});
