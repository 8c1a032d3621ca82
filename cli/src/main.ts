import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ROOT } from './start/places.ts';

const { version, description } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};

/** Each is loaded when it is asked for: the process of `start` stays, and holds no more than it needs. In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start/start-command.ts')).startCommand(),
  account: async () => (await import('./account/account-command.ts')).accountCommand(),
  person: async () => (await import('./person/person-command.ts')).personCommand(),
  device: async () => (await import('./device/device-command.ts')).deviceCommand(),
  import: async () => (await import('./import/import-command.ts')).importCommand(),
  export: async () => (await import('./export/export-command.ts')).exportCommand(),
  process: async () => (await import('./process/process-command.ts')).processCommand(),
  migrate: async () => (await import('./migrate/migrate-command.ts')).migrateCommand(),
  'log-level': async () => (await import('./log-level/log-level-command.ts')).logLevelCommand(),
  deadletters: async () => (await import('./deadletters/deadletters-command.ts')).deadlettersCommand(),
  backup: async () => (await import('./backup/backup-command.ts')).backupCommand(version),
  restore: async () => (await import('./backup/restore-command.ts')).restoreCommand(),
  shards: async () => (await import('./shards/shards-command.ts')).shardsCommand(),
  doctor: async () => (await import('./doctor/doctor-command.ts')).doctorCommand(),
  simulate: async () => (await import('./simulate/simulate-command.ts')).simulateCommand(process.argv[3]),
};

// What cannot be printed, for its reader has gone or a disk is full, ends no work: whoever needs it to be printed waits for it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  await (await program(process.argv[2])).parseAsync();
} catch (error) {
  const { errorText } = await import('./error-text.ts');
  console.error(`\n${errorText(error)}`);
  process.exitCode = 1;
}

/** @param asked the first argument; all commands where it names none */
async function program(asked = ''): Promise<Command> {
  const { Command } = await import('commander');
  const names = Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
  const found = new Command('catchment').description(`Catchment: ${description}`).version(version).showHelpAfterError();
  for (const name of names) found.addCommand((await COMMANDS[name]?.()) as Command);
  return found;
}
