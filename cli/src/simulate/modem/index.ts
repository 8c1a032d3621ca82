export { addModemOptions, type ModemOptions, modemSettings } from './modem-options.ts';
export { type ModemCounts, noCounts, type SimulateModemOptions, simulateModem } from './simulate-modem.ts';
