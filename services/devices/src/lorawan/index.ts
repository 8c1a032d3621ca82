export { sweepUplinks } from './usecases/sweep-uplinks.ts';
export { takeUplink, type UplinkDeps } from './usecases/take-uplink.ts';
