export type { UplinkFrame } from './domain/uplink-frame.ts';
export * as uplinkStatements from './store/pg-uplinks.ts';
export type { Store as UplinkStored } from './usecases/ports.ts';
export { sweepUplinks } from './usecases/sweep-uplinks.ts';
export { takeUplink, type UplinkDeps } from './usecases/take-uplink.ts';
