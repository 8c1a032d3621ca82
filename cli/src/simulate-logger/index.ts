export { type SimulateLoggersOptions, simulateLoggers } from './simulate-logger.ts';
export { simulateLoggerCommand } from './simulate-logger-command.ts';
