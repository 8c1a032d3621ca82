import type { ChartedNodes } from './ports.ts';

/** Names cannot have a slash (docs/reference/node-tree.md#common-attributes). */
const named = <T extends { readonly path: string }>(node: T): T => ({
  ...node,
  path: node.path.slice(node.path.lastIndexOf('/') + 1),
});

/** Nodes whose paths are not for everybody: each is called by its name alone. */
export const withoutPaths = (nodes: ChartedNodes): ChartedNodes => ({
  get: async (nodeRef, call, draft) => named(await nodes.get(nodeRef, call, draft)),
  named: async (references, call) => (await nodes.named(references, call)).map(named),
  linked: async (nodeIds, call) =>
    new Map([...(await nodes.linked(nodeIds, call))].map(([nodeId, node]) => [nodeId, named(node)])),
});
