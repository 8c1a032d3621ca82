export { type LogHold, RecentRecords } from './usecases/recent-records.ts';
