export { followConfiguration } from './bus/follow-nodes.ts';
export { purgeTombstones } from './store/pg-tombstones.ts';
