import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { accountCommand } from './account/account-command.ts';
import { backupCommand } from './backup/backup-command.ts';
import { restoreCommand } from './backup/restore-command.ts';
import { deadlettersCommand } from './deadletters/deadletters-command.ts';
import { deviceCommand } from './device/device-command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { errorText } from './error-text.ts';
import { exportCommand } from './export/export-command.ts';
import { importCommand } from './import/import-command.ts';
import { logLevelCommand } from './log-level/log-level-command.ts';
import { migrateCommand } from './migrate/migrate-command.ts';
import { personCommand } from './person/person-command.ts';
import { processCommand } from './process/process-command.ts';
import { shardsCommand } from './shards/shards-command.ts';
import { simulateFleetCommand } from './simulate-fleet/simulate-fleet-command.ts';
import { simulateLoggerCommand } from './simulate-logger/simulate-logger-command.ts';
import { simulateModemCommand } from './simulate-modem/simulate-modem-command.ts';
import { simulateMqttCommand } from './simulate-mqtt/simulate-mqtt-command.ts';
import { ROOT } from './start/service-table.ts';
import { startCommand } from './start/start-command.ts';

const { version, description } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};

const program = new Command('catchment')
  .description(`Catchment: ${description}`)
  .version(version)
  .showHelpAfterError()
  .addCommand(startCommand())
  .addCommand(accountCommand())
  .addCommand(personCommand())
  .addCommand(deviceCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(processCommand())
  .addCommand(migrateCommand())
  .addCommand(logLevelCommand())
  .addCommand(deadlettersCommand())
  .addCommand(backupCommand(version))
  .addCommand(restoreCommand())
  .addCommand(shardsCommand())
  .addCommand(doctorCommand())
  .addCommand(
    new Command('simulate')
      .description('simulated hardware, for trials')
      .addCommand(simulateModemCommand())
      .addCommand(simulateFleetCommand())
      .addCommand(simulateMqttCommand())
      .addCommand(simulateLoggerCommand()),
  );

// What cannot be printed, for its reader has gone or a disk is full, ends no work: whoever needs it to be printed waits for it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  console.error(`\n${errorText(error)}`);
  process.exitCode = 1;
}
