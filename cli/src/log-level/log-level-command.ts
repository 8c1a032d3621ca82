import { askForLogLevel } from '@catchment/bus';
import { withBackendLogins } from '@catchment/config';
import { LOG_LEVEL_SECONDS, LOG_LEVELS, type LogLevel } from '@catchment/telemetry';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { forPeople } from '../account/connection.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { dataDirOption } from '../data-dir.ts';
import { SERVICES } from '../start/service-table.ts';
import { readRunning } from '../start/state.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** `catchment log-level …` */
export function logLevelCommand(): Command {
  return new Command('log-level')
    .addArgument(new Argument('<service>', 'the service').choices([...SERVICES, 'all']))
    .addArgument(new Argument('<level>', 'least level of lines that are written').choices(LOG_LEVELS))
    .option(
      '--for <time>',
      'until the level of the setting counts again: 30s, 10m, 24h',
      duration,
      LOG_LEVEL_SECONDS.fallback,
    )
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
A process that starts meanwhile logs at the level of its setting, LOG_LEVEL. gateway and render get the level from nodes: if no process of
nodes runs, they do not change.

Where the broker is found:
  NATS_URL in the environment, with NATS_USER and NATS_PASSWORD where the URL has no login (as in every service's container),
  otherwise the broker of the installation that runs with "npm start" on this machine.

Examples:
  catchment log-level historic debug
  catchment log-level all warn --for 2h`,
    )
    .action(async (service: string, level: LogLevel, options: JsonOption & { for: number; dataDir: string }) => {
      const url = withBackendLogins(process.env).NATS_URL ?? (await readRunning(options.dataDir))?.natsUrl;
      if (!url) throw new UsageError('No installation found. Start one with "npm start", or set NATS_URL.');
      const where = { url, prefix: process.env.NATS_PREFIX ?? '' };
      const heard = await askForLogLevel(where, { service, level, seconds: options.for }).catch(forPeople);
      if (heard.length === 0)
        throw new Error(`No process of ${service} has answered: is it running, and of this version?`);
      answer(options, { processes: heard, level, seconds: options.for }, () =>
        heard.map((process) => `${process}: ${level} for ${options.for} s`),
      );
    });
}

/** @returns seconds */
export function duration(text: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(number) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
  const { min, max } = LOG_LEVEL_SECONDS;
  if (number === '' || seconds < min || seconds > max)
    throw new InvalidArgumentError('must be a time from 1s to 24h, such as 90s, 10m or 2h.');
  return seconds;
}
