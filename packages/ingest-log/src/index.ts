export { decodeBatch, encodeEntries, LAYOUT_VERSION } from './codec.ts';
export { type Column, type ColumnPart, FLAG, flagsAt, joinColumns, type LogEntry, sliceColumn } from './column.ts';
