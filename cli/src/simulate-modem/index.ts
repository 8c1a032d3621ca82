export { type SimulateModemOptions, simulateModem } from './simulate-modem.ts';
export { simulateModemCommand } from './simulate-modem-command.ts';
