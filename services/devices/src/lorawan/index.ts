export { takeUplink, type UplinkDeps } from './usecases/take-uplink.ts';
