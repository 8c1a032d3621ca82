export { AccountQualities } from './account-qualities.ts';
export { followNodes, type NodeChange, type NodeFollower, newestChanges, watchNodes } from './follow-nodes.ts';
export { NodeDirectory, type Requester } from './node-directory.ts';
export { NodeReplica, type NodeReplicaOptions, type NodeWatcher } from './node-replica.ts';
export {
  type DeletedNode,
  lockNodes,
  markDeleted,
  nodesOfSources,
  purgeDeleted,
  readNodes,
  saveNodes,
} from './node-table.ts';
export { accountDays, type DaysOf } from './own-days.ts';
export { type NodeCall, resolveNode, seenNodes, type VisibleNodes, visibleNodes } from './visible-nodes.ts';
