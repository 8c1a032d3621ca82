export { movedMessage } from './domain/event-texts.ts';
export { nodeConfigs } from './store/node-configs-query.ts';
export { NODE_COLUMNS, type NodeRow, toNode } from './store/node-rows.ts';
export {
  branchIds,
  childrenOf,
  countNodes,
  findNode,
  insertNodes,
  lineOf,
  lookUp,
  type NewNode,
  nodesById,
  rememberPlaces,
  saveActive,
  saveSettings,
} from './store/pg-nodes.ts';
export { ratingsHandlers } from './transport/ratings-handlers.ts';
export { announceConfigs, announceCreated, announceUpdated, type Updated } from './usecases/announce.ts';
export { announceDue } from './usecases/announce-due.ts';
export { type ChangeAtNode, changeAtNode } from './usecases/change-at-node.ts';
export type { NodeDeps } from './usecases/deps.ts';
export { findParent, type Parent } from './usecases/new-parent.ts';
export { processOf, programRef, sharedCodeOf } from './usecases/program-ref.ts';
export { removeBranches } from './usecases/remove-branches.ts';
export { namingUnique } from './usecases/unique-names.ts';
