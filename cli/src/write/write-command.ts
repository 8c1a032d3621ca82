import { Argument, Command, Option } from 'commander';
import { addApiOptions, collect, wholeNumber } from '../api/api-options.ts';
import { MODES, type WriteOptions } from './write-options.ts';

/** `catchment write` */
export function writeCommand(): Command {
  const command = new Command('write')
    .argument('<node>', 'a data source (a parameter for every column), or one parameter or Location: id, or @customId')
    .addArgument(new Argument('[file]', 'CSV, also as .gz; - for standard input').default('-'))
    .option('--tz <zone>', 'zone of times without a zone, with its summer time; needed if there are such times')
    .option('-c, --column <name[=series]>', 'only this column, by label or number from 1; repeatable', collect, [])
    .option('--missing <text>', 'a text that means no value, such as NA; repeatable', collect, [])
    .addOption(new Option('-m, --mode <mode>', 'what happens to records that exist').choices(MODES).default(MODES[0]))
    .addOption(
      new Option('--notify-on <mode>', 'which records may raise alarms')
        .choices(['LATEST_ONLY', 'ALL_NEWER', 'NONE'])
        .default('LATEST_ONLY'),
    )
    .addOption(
      new Option('-w, --wait <what>', 'durable: no crash loses it; readable: reads have it too')
        .choices(['durable', 'readable'])
        .default('durable'),
    )
    .option('--batch <records>', 'in one request', wholeNumber(1, 20_000), 5000)
    .option('--strict', 'stop at the first line or field that cannot be read', false)
    .option('-q, --quiet', 'no progress', false);
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
The first line has the names of the columns; the column of the time and its format are detected. What "catchment read" prints is read back. Records go in requests of a
bounded number, in the order of the file; a request that had no answer is sent again and counts once. The command says how many records were
written, and which lines could not be read: the exit code is then 7, also if a later request was refused. For files that take long, and go on where they
were, use "catchment import".

Examples:
  catchment write @gauge levels.csv --tz America/New_York
  catchment read @stage -s 2024 -e 2025 | catchment write @stage-copy
  printf 'time,Level\\n2024-06-01T10:00Z,2.91\\n' | catchment write @gauge --wait readable`,
    )
    .action(async (node: string, file: string, options: WriteOptions) =>
      (await import('./write-records.ts')).writeRecords(node, file, options),
    );
}
