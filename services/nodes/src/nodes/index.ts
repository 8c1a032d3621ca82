export { type CloneDeps, cloneConfig, mergeMetadata } from './domain/clone.ts';
export { movedMessage } from './domain/node-messages.ts';
export { newPushKey } from './domain/push-key.ts';
export { NODE_COLUMNS, type NodeRow, toNode } from './store/node-rows.ts';
export { linesOf, type Step, wholeBranch } from './store/pg-branch.ts';
export { nodesUsingCategory } from './store/pg-category-uses.ts';
export { deviceSourceIds, nodeConfigs } from './store/pg-node-configs.ts';
export {
  childrenOf,
  countNodes,
  findNode,
  insertNodes,
  lineOf,
  lookUp,
  type NewNode,
  nodesById,
  nodesByRefs,
  saveSettings,
} from './store/pg-nodes.ts';
export { ratingsHandlers } from './transport/ratings-handlers.ts';
export { announceConfigs, announceCreated, announceUpdated, type Updated } from './usecases/announce.ts';
export { type ChangeAtNode, changeAtNode } from './usecases/change-at-node.ts';
export type { NodeDeps } from './usecases/deps.ts';
export { findParent, type Parent } from './usecases/new-parent.ts';
export { branchLinks } from './usecases/relink.ts';
export { removeBranches } from './usecases/remove-branches.ts';
export { namingUnique } from './usecases/unique-names.ts';
