import { touchOwners } from '../changes/index.ts';
import { parkNames, savePlanned } from './store/pg-planned-nodes.ts';
import {
  clearMetadata,
  ensureTemplate,
  forgetTemplate,
  insertInstances,
  makeDue,
  postpone,
  setRevision,
  settle,
  unlinkNodes,
} from './store/pg-templates.ts';
import { linkInstances as link } from './usecases/copy-instances.ts';
import * as follow from './usecases/follow-template.ts';
import { findCurrent as find } from './usecases/instance-node.ts';
import * as propagate from './usecases/propagate.ts';
import * as change from './usecases/template-change.ts';
import { unlinkNode as unlink } from './usecases/unlink-node.ts';

export type { Pushed } from './domain/pushed.ts';
export { forgetTemplate } from './store/pg-templates.ts';
export { templatesRootOf } from './store/templates-query.ts';
export {
  checkInstancePlace,
  copiedConfig,
  depthOf,
  linksOf,
  type Purpose,
  purposeOf,
} from './usecases/copy-instances.ts';
export type { TemplateDeps } from './usecases/deps.ts';
export { checkUnlocked } from './usecases/instance-node.ts';
export { checkInstances, templateOf } from './usecases/template-change.ts';

const store = {
  ensureTemplate,
  makeDue,
  postpone,
  settle,
  forgetTemplate,
  insertInstances,
  setRevision,
  clearMetadata,
  unlinkNodes,
  parkNames,
  savePlanned,
  touchOwners,
};

// These use cases work on the tables of this room.
export const linkInstances = link.bind(undefined, store);
export const bringUpToDate = follow.bringUpToDate.bind(undefined, store);
export const followAgain = follow.followAgain.bind(undefined, store);
export const findCurrent = find.bind(undefined, store);
export const propagateDue = propagate.propagateDue.bind(undefined, store);
export const propagateNow = propagate.propagateNow.bind(undefined, store);
export const changeOverrides = change.changeOverrides.bind(undefined, store);
export const templateChanged = change.templateChanged.bind(undefined, store);
export const unlinkNode = unlink.bind(undefined, store);
