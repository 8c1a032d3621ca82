export { type PlannedPath, planPath } from './domain/path.ts';
export type { WalkedNode } from './store/paths-query.ts';
export { programsHandlers } from './transport/programs-handlers.ts';
export { type AskedPath, type Found, lookUpAll } from './usecases/look-up.ts';
export { type Reader, readerOf } from './usecases/path-readers.ts';
