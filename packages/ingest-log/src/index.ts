export { decodeBatch, emptyMessage, encodeEntries } from './codec.ts';
export { type Column, type ColumnPart, FLAG, flagsAt, joinColumns, type LogEntry, sliceColumn } from './column.ts';
export { type ColumnEffect, effectOf, leavesNothing, leavesNoValue, NOTHING_WRITTEN, needsVerdict } from './effect.ts';
export { fillingGaps } from './late.ts';
export {
  bitsOf,
  deletionOf,
  hasBit,
  isRemoval,
  type Overwrite,
  overwriteOf,
  rangeOf,
  type TimeRange,
} from './overwrite.ts';
export { type ColumnParts, joinPart } from './parts.ts';
export { readEntries } from './read-entries.ts';
export { retryContent } from './retry-content.ts';
