import { Command } from 'commander';

/** Each simulator is loaded when it is asked for: a demonstration keeps one running. */
const SIMULATORS: Readonly<Record<string, () => Promise<Command>>> = {
  modem: async () => (await import('../simulate-modem/simulate-modem-command.ts')).simulateModemCommand(),
  fleet: async () => (await import('../simulate-fleet/simulate-fleet-command.ts')).simulateFleetCommand(),
  mqtt: async () => (await import('../simulate-mqtt/simulate-mqtt-command.ts')).simulateMqttCommand(),
  logger: async () => (await import('../simulate-logger/simulate-logger-command.ts')).simulateLoggerCommand(),
};

/** `catchment simulate …`. @param asked the simulator; all of them where it names none */
export async function simulateCommand(asked = ''): Promise<Command> {
  const command = new Command('simulate');
  const names = Object.hasOwn(SIMULATORS, asked) ? [asked] : Object.keys(SIMULATORS);
  for (const name of names) command.addCommand((await SIMULATORS[name]?.()) as Command);
  return command;
}
