export { chosenFault, faultyLine, type LineFaults, seeded } from './faulty-line.ts';
export { SimulatedLogger, type SimulatedLoggerOptions } from './simulated-logger.ts';
export type { PublicTable, TableContent } from './simulated-table.ts';
export { readToa5, repeated, type Toa5 } from './toa5.ts';
