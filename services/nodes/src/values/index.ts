import { touchOwners } from '../changes/index.ts';
import { startReaders as readersOn } from './bus/readers.ts';
import { saveWindows, takeEndedWindows } from './store/pg-acquisition-windows.ts';
import { saveAlarms, saveStates } from './store/pg-alarms.ts';
import { awaitValues, endAwaited, takeAwaited } from './store/pg-awaited-values.ts';
import { endControls, saveSessions } from './store/pg-sessions.ts';
import { advance, saveCounters, saveValues } from './store/pg-values.ts';
import { applyAlarms as applyAlarmsBy } from './usecases/apply-alarms.ts';
import { applyBatches as applyBatchesBy } from './usecases/apply-batch.ts';
import { applyDevices as applyDevicesBy } from './usecases/apply-devices.ts';
import { closeEndedWindows as closeBy } from './usecases/close-windows.ts';
import { showAwaited as showBy } from './usecases/show-awaited.ts';

export { readEdgesFrom } from './clients/read-edges.ts';
export type { CountersChange } from './domain/applied-batch.ts';
export type { StoredAlarm } from './domain/stored-alarm.ts';
export { saveCounters } from './store/pg-values.ts';
export type { ApplyDeps, ReadEdges } from './usecases/apply-batch.ts';

const windows = { saveWindows, takeEndedWindows };

const stores = {
  ...windows,
  saveStates,
  saveAlarms,
  awaitValues,
  takeAwaited,
  endAwaited,
  saveSessions,
  endControls,
  advance,
  saveValues,
  saveCounters,
  touchOwners,
};

export const startReaders = readersOn.bind(undefined, stores);
/** See `applyBatches` of apply-batch.ts. */
export const applyBatches = applyBatchesBy.bind(undefined, stores);
/** See `applyAlarms` of apply-alarms.ts. */
export const applyAlarms = applyAlarmsBy.bind(undefined, stores);
/** See `applyDevices` of apply-devices.ts. */
export const applyDevices = applyDevicesBy.bind(undefined, stores);
/** See `closeEndedWindows` of close-windows.ts. */
export const closeEndedWindows = closeBy.bind(undefined, windows.takeEndedWindows);
/** See `showAwaited` of show-awaited.ts. */
export const showAwaited = showBy.bind(undefined, stores);
