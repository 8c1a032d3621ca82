export { type CloneDeps, cloneConfig, mergeMetadata } from './domain/clone.ts';
export { linesOf, type Step, wholeBranch } from './store/branch-query.ts';
export { newPushKey } from './usecases/new-push-key.ts';
export { branchLinks } from './usecases/relink.ts';
