export { type ModemCounts, noCounts } from './modem-counts.ts';
export { addModemOptions, type ModemOptions, modemSettings } from './modem-options.ts';
export { simulateModem } from './simulate-modem.ts';
export type { SimulateModemOptions } from './simulated-modem.ts';
