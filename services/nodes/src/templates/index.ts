export type { Pushed } from './domain/pushed.ts';
export { forgetTemplate, templatesRootOf } from './store/pg-templates.ts';
export {
  checkInstancePlace,
  copiedConfig,
  depthOf,
  linkInstances,
  linksOf,
  type Purpose,
  purposeOf,
} from './usecases/copy-instances.ts';
export type { TemplateDeps } from './usecases/deps.ts';
export { bringUpToDate, followAgain } from './usecases/follow-template.ts';
export { checkUnlocked, findCurrent } from './usecases/instance-node.ts';
export { propagateDue, propagateNow } from './usecases/propagate.ts';
export { changeOverrides, checkInstances, templateChanged, templateOf } from './usecases/template-change.ts';
export { unlinkNode } from './usecases/unlink-node.ts';
