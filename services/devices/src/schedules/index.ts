export {
  type AcquiredSource,
  type Acquisition,
  after,
  isAcquired,
  type LoggerFacts,
  newAcquisition,
  reconfigured,
  retriesOf,
  sessionKind,
} from './domain/acquisition.ts';
export { type ControlSet, controlClass, controlDocument, type PendingControl } from './domain/control.ts';
export { retryAfter, shownDuration } from './domain/schedule.ts';
export { SESSION_STATUSES, type Status, type StatusEvent, stepTo, toTheEnd } from './domain/status.ts';
export { scheduleStatements } from './store/statements.ts';
export type { AcquisitionStored, DeviceCall, News } from './usecases/ports.ts';
export { PushedRecords } from './usecases/pushed-records.ts';
export { pushedWrites } from './usecases/pushed-writes.ts';
export { fileSettled, gotThrough, pushed } from './usecases/pushes.ts';
