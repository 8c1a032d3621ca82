export { nodesHandlers } from './transport/nodes-handlers.ts';
export { makeNode } from './usecases/create-node.ts';
export { draftNode } from './usecases/draft-node.ts';
export { listParametersBelow } from './usecases/resolve-nodes.ts';
