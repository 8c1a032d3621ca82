export { InfluxOutlines } from './store/influx-outlines.ts';
export { collectM4, type Outlined, type OutlinedCollect } from './usecases/collect-m4.ts';
export type { RecordOutlines } from './usecases/ports.ts';
