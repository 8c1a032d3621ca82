export { followNode, sourceFollower } from './bus/nodes-reader.ts';
export { reconcileAtStart } from './usecases/reconcile-sources.ts';
