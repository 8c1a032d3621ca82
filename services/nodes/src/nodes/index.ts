import { touchOwners } from '../changes/index.ts';
import { markStale } from '../shown/index.ts';
import { putAnnouncements, takeAnnouncements } from './store/pg-due-announcements.ts';
import { renewImages } from './store/pg-images.ts';
import { deleteNodes, insertNodes as insert, renewRevisions, saveSettings as save } from './store/pg-nodes.ts';
import { markSchedules } from './store/pg-schedule-marks.ts';
import * as announce from './usecases/announce.ts';
import { announceDue as announceAll } from './usecases/announce-due.ts';
import { removeBranches as remove } from './usecases/remove-branches.ts';
import * as stored from './usecases/store-nodes.ts';

export { movedMessage } from './domain/event-texts.ts';
export { nodeConfigs } from './store/node-configs-query.ts';
export { NODE_COLUMNS, type NodeRow, toNode } from './store/node-rows.ts';
export { branchIds, childrenOf, countNodes, findNode, lineOf, lookUp, nodesById } from './store/nodes-query.ts';
export { rememberPlaces, saveActive } from './store/pg-nodes.ts';
export { ratingsHandlers } from './transport/ratings-handlers.ts';
export { announceConfigs, type Updated } from './usecases/announce.ts';
export { type ChangeAtNode, changeAtNode } from './usecases/change-at-node.ts';
export type { NodeChange, NodeDeps } from './usecases/deps.ts';
export { findParent, type Parent } from './usecases/new-parent.ts';
export type { NewNode } from './usecases/ports.ts';
export { processOf, programRef, sharedCodeOf } from './usecases/program-ref.ts';
export { namingUnique } from './usecases/unique-names.ts';

const store = {
  insertNodes: insert,
  saveSettings: save,
  deleteNodes,
  putAnnouncements,
  markSchedules,
  markStale,
  renewImages,
  touchOwners,
};
const due = { takeAnnouncements, renewRevisions, touchOwners };

/** See `insertNodes` of store-nodes.ts. */
export const insertNodes = stored.insertNodes.bind(undefined, store);
/** See `saveSettings` of store-nodes.ts. */
export const saveSettings = stored.saveSettings.bind(undefined, store);
/** See `markDue` of store-nodes.ts. */
export const markDue = stored.markDue.bind(undefined, store);
/** See `announceCreated` of announce.ts. */
export const announceCreated = announce.announceCreated.bind(undefined, due);
/** See `announceUpdated` of announce.ts. */
export const announceUpdated = announce.announceUpdated.bind(undefined, due);
/** See `announceDue` of announce-due.ts. */
export const announceDue = announceAll.bind(undefined, due);
/** See `removeBranches` of remove-branches.ts. */
export const removeBranches = remove.bind(undefined, store);
