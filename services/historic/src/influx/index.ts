export { isUnwritable } from './domain/unwritable.ts';
export { InfluxConnection } from './store/influx-connection.ts';
export { type InfluxRow, type InfluxSeries, rowsOf, seriesOf } from './store/influx-rows.ts';
export { deletion, inChunks, inTime, ofAnySeries, ofSeries, quoted, select, whole } from './store/influxql.ts';
export {
  MARK_NEGATIVE,
  MARK_OTHER,
  MEASUREMENT,
  PRESENCE_BITS,
  PRESENCE_FACTOR,
  partsOf,
  RUNS,
} from './store/storage-layout.ts';
