import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseTimeArgument, UTC_ZONE } from '@catchment/time';
import { Command, Option } from 'commander';
import { type ApiOptions, addApiOptions, apiClient, nodePath, wholeNumber } from '../api/api-options.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { reportLines, type TestReport } from './report-lines.ts';

type Options = ApiOptions &
  JsonOption & {
    readonly node: string;
    readonly start: string;
    readonly end?: string;
    readonly limit?: number;
    readonly mode?: string;
    readonly secondary?: string;
    readonly aggregate?: string;
  };

/** Runs of one test (docs/reference/processing-and-ratings.md#trying-a-program-out). */
const MAX_RUNS = 10_000;

/** `catchment process …` */
export function processCommand(): Command {
  const command = new Command('process');
  const test = command
    .command('test')
    .description('run a program over recorded data and print what it makes; nothing is written')
    .argument('<file>', 'JavaScript of the program; - for standard input')
    .requiredOption('-n, --node <id>', 'process parameter or processor that the program is for: id, or @customId')
    .option('--start <time>', 'first time; ISO 8601 in UTC, or relative to now, such as NOW-7D', 'NOW-1D')
    .option('--end <time>', 'last time (default: now)')
    .option('--limit <runs>', 'runs at most (default: 1000)', wholeNumber(1, MAX_RUNS))
    .addOption(new Option('--mode <name>', 'default: as saved').choices(['ALL_INPUTS', 'ANY_INPUT', 'SCHEDULE']))
    .addOption(new Option('--secondary <name>', 'default: as saved').choices(['INTERPOLATED', 'RETAIN']))
    .addOption(new Option('--aggregate <name>', 'default: as saved').choices(['PARTIAL', 'COMPLETE']));
  addApiOptions(test)
    .addHelpText(
      'after',
      `
Prints the records, then the first errors with time and line, the output of console.log, and the time used. Exits with 1 when a run
failed or the program is invalid. The key needs MODIFY; the program reads what the key may see.

Examples:
  catchment process test dew-point.js --node @dew-point --start NOW-7D
  catchment process test - --node @daily --start 2024-03-01 --end 2024-04-01 < daily.js`,
    )
    .action(run);
  return command;
}

async function run(file: string, { node, start, end, limit, mode, secondary, aggregate, ...options }: Options) {
  const api = await apiClient(options);
  const code = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const nowMs = Date.now();
  const time = (name: string, given: string) =>
    new Date(parseTimeArgument(name, given, { nowMs, zone: UTC_ZONE })).toISOString();
  const report = (await api.send('POST', `/nodes/${nodePath(node)}/process/test`, {
    code,
    startTime: time('--start', start),
    endTime: end === undefined ? new Date(nowMs).toISOString() : time('--end', end),
    ...(limit !== undefined && { limit }),
    ...(mode !== undefined && { runMode: mode }),
    ...(secondary !== undefined && { secondaryInputs: secondary }),
    ...(aggregate !== undefined && { aggregateInputs: aggregate }),
  })) as TestReport;
  answer(options, report, () => reportLines(report));
  if (report.failed > 0 || report.errors.length > 0) process.exitCode = 1;
}
