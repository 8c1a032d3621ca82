export { GroupCommit } from './bus/group-commit.ts';
export { markLog } from './bus/mark-log.ts';
export type { Append } from './usecases/append.ts';
