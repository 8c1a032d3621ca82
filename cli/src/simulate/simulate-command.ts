import { Command } from 'commander';

/** Each simulator is loaded when it is asked for: a demonstration keeps one running. */
const SIMULATORS: Readonly<Record<string, () => Promise<Command>>> = {
  modem: async () => (await import('./modem/modem-command.ts')).simulateModemCommand(),
  fleet: async () => (await import('./fleet/fleet-command.ts')).simulateFleetCommand(),
  mqtt: async () => (await import('./mqtt/mqtt-command.ts')).simulateMqttCommand(),
  logger: async () => (await import('./logger/logger-command.ts')).simulateLoggerCommand(),
};

/** `catchment simulate …`. @param asked the simulator; all of them where it names none */
export async function simulateCommand(asked = ''): Promise<Command> {
  const command = new Command('simulate');
  const names = Object.hasOwn(SIMULATORS, asked) ? [asked] : Object.keys(SIMULATORS);
  for (const name of names) command.addCommand((await SIMULATORS[name]?.()) as Command);
  return command;
}
