export { type CloneDeps, cloneConfig, mergeMetadata } from './domain/clone.ts';
export { newPushKey } from './domain/push-key.ts';
export { linesOf, type Step, wholeBranch } from './store/pg-branch.ts';
export { branchLinks } from './usecases/relink.ts';
