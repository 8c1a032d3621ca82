export { decodeText, ENCODINGS, type Encoding } from './decode.ts';
export { type FieldMatch, readBoolean, readNumber } from './field-values.ts';
export { ROW_CHARACTERS_MAX, type Row, type RowSettings, readRows } from './rows.ts';
export { type SourceClock, sourceClock } from './source-clock.ts';
export { type TimeParts, type TimePattern, timePattern } from './time-pattern.ts';
export { type ResolvedTime, resolveTime } from './time-resolve.ts';
