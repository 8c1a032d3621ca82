import { forgetUplinks, noteUplink, sweepUplinks, uplinkStored } from './store/pg-uplinks.ts';

export { uplinkHandlers } from './transport/uplink-handlers.ts';
export type { Store as UplinkStored } from './usecases/ports.ts';
export { sweepUplinks } from './usecases/sweep-uplinks.ts';

export const uplinkStatements = { noteUplink, uplinkStored, forgetUplinks, sweepUplinks };
