import { Argument, Command, Option } from 'commander';
import { addApiOptions, collect, wholeNumber } from '../api/api-options.ts';
import { UsageError } from '../command-line/failure.ts';
import { EVENT_TYPES, type EventOptions, type RecordOptions } from './tail-options.ts';

const AFTER = `
With -f the command goes on until Ctrl-C, which ends it with 0. A lost connection is made again, and nothing is left out. With --json each line is
a JSON document.`;

/** `catchment tail …` */
export function tailCommand(): Command {
  const tail = new Command('tail');
  const add = (name: string, description: string) =>
    addApiOptions(
      tail
        .command(name)
        .description(description)
        .option('-f, --follow', 'go on with new ones', false)
        .option('-n, --lines <number>', 'of the past', wholeNumber(0, 10_000), 10),
    );
  add('events', 'print the newest events of the account, the oldest first')
    .addOption(
      new Option('-t, --type <name>', `of this type; repeatable: ${EVENT_TYPES.join(', ')}`)
        .default([])
        .argParser(typeOf),
    )
    .option('--filter <filter>', 'as the argument of GET /events: docs/reference/query-arguments.md#filter')
    .addHelpText(
      'after',
      `${AFTER}\n\nExamples:\n  catchment tail events -f\n  catchment tail events -t ALARM -n 50 --json`,
    )
    .action(async (options: EventOptions) => (await import('./tail-events.ts')).tailEvents(options));
  add('records', 'print the newest records of some series, then each record that is written, whatever its time')
    .addArgument(new Argument('<node...>', 'a parameter, a Location, or a data source: id, or @customId'))
    .option('--tz <zone>', 'zone of the printed times, with its summer time (default: UTC)')
    .option('--every <seconds>', 'with -f: how often the server is asked', wholeNumber(1, 3_600), 2)
    .addHelpText(
      'after',
      `${AFTER} Deletions are not shown; a record that is written again unchanged may be.\n\nExamples:\n  catchment tail records @level -f\n  catchment tail records @weather-station -n 3 --tz Australia/Sydney`,
    )
    .action(async (nodes: string[], options: RecordOptions) =>
      (await import('./tail-records.ts')).tailRecords(nodes, options),
    );
  return tail;
}

function typeOf(text: string, before: readonly string[] = []): readonly string[] {
  const type = EVENT_TYPES.find((type) => type === text.toUpperCase());
  if (!type) throw new UsageError(`--type: must be one of ${EVENT_TYPES.join(', ')}`);
  return collect(type, before);
}
