export { addPeriod, addUnits, elapsedMsOf, startOf, wallTimeOf } from './calendar.ts';
export {
  civilFromDays,
  DAY_MS,
  daysFromCivil,
  HOUR_MS,
  isInstantMs,
  isRecordMs,
  MAX_INSTANT_MS,
  MAX_RECORD_MS,
  MIN_INSTANT_MS,
  MIN_RECORD_MS,
  MINUTE_MS,
  RECORD_RANGE_RULE,
  SECOND_MS,
} from './civil.ts';
export {
  boundAt,
  gridAt,
  type Interval,
  type IntervalGrid,
  type IntervalLayout,
  indexAt,
  intervalAt,
} from './interval-grid.ts';
export { formatIsoMs } from './iso-format.ts';
export {
  parseInstantMs,
  parseTimeValueMs,
  tryParseInstantMs,
  tryParseUtcBytes,
} from './iso-parse.ts';
export { lastingIntervals } from './lasting-intervals.ts';
export {
  evaluateOpc,
  type OpcContext,
  parseOpcArgument,
  parsePeriodArgument,
  parseTimeArgument,
  readTimeArgument,
  type TimeArgument,
} from './opc-evaluate.ts';
export {
  formatPeriod,
  type OpcExpression,
  type OpcPeriod,
  type OpcUnit,
  parseOpc,
  parsePeriod,
} from './opc-parse.ts';
export { type TickSchedule, tickAfter, tickAt } from './ticks.ts';
export { formatTime, timeFormatter } from './time-format.ts';
export { type EffectiveZone, effectiveZone, fixedZone, formatOffset, normaliseZoneName, UTC_ZONE } from './zone.ts';
