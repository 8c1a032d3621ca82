export type { LogHold } from './usecases/held-span.ts';
export { RecentRecords } from './usecases/recent-records.ts';
