import type { DownloadOptions, ReadOptions } from '@catchment/client';
import { Argument, Command, Option } from 'commander';
import { type ApiOptions, addApiOptions, wholeNumber } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { interruptSignal } from '../command-line/interrupted.ts';

export const FORMATS = ['CSV', 'JSON', 'ARROW', 'PARQUET', 'RDB', 'WATERML2', 'COVJSON'] as const;
type Format = (typeof FORMATS)[number];
/** The ending of a file's name chooses the format. */
const BY_NAME: readonly (readonly [RegExp, Format])[] = [
  [/\.(?:json|jts)$/i, 'JSON'],
  [/\.arrows?$/i, 'ARROW'],
  [/\.parquet$/i, 'PARQUET'],
  [/\.rdb$/i, 'RDB'],
  [/\.(?:xml|wml)$/i, 'WATERML2'],
  [/\.covjson$/i, 'COVJSON'],
];
const BINARY: readonly Format[] = ['ARROW', 'PARQUET'];

type Options = ApiOptions &
  JsonOption & {
    readonly start?: string;
    readonly end?: string;
    readonly limit?: number;
    readonly tz?: string;
    readonly aggregate?: string;
    readonly interval?: string;
    readonly format?: Format;
    readonly long: boolean;
    readonly quality: boolean;
    readonly annotations: boolean;
    readonly maxPoints?: number;
    readonly output?: string;
    readonly quiet: boolean;
  };

/** `catchment read` */
export function readCommand(): Command {
  const command = new Command('read')
    .addArgument(
      new Argument(
        '<node...>',
        'a parameter, a Location, or a data source for all of its parameters: id, or @customId',
      ),
    )
    .option('-s, --start <time>', 'first instant: 2024-06, 2024-06-01T10:00, NOW-7D …')
    .option('-e, --end <time>', 'the end, which is left out itself: --start 2024-06 --end 2024-07 is June')
    .option(
      '-n, --limit <rows>',
      'rows at most; with one bound, or without bounds, the newest',
      wholeNumber(1, 1_000_000),
    )
    .option(
      '--tz <zone>',
      'zone of times without a zone, of the printed times and of intervals, with its summer time (default: UTC)',
    )
    .option('-a, --aggregate <name>', 'aggregate instead of the records, such as AVERAGE, MAX, SUM; needs --interval')
    .option('-i, --interval <length>', 'interval of an aggregate: 15M, 1H, 1D, 1MO …')
    .addOption(
      new Option('-f, --format <name>', 'default: as the name of --output ends, or CSV')
        .choices(FORMATS)
        .argParser(formatOf),
    )
    .option('--long', 'CSV with a line for each value: time, node, name, value, units, quality, annotation', false)
    .option('--quality', 'print the quality behind each value', false)
    .option('--annotations', 'print the annotation behind each value', false)
    .option('--max-points <number>', 'at most so many points, such that a line looks the same', wholeNumber(4, 64_000))
    .option(
      '-o, --output <file>',
      'write a file, which exists only when it is complete; .gz is packed (default: standard output)',
    )
    .option('-q, --quiet', 'no progress', false)
    .option('--json', 'the records as JSON (--format JSON); with --output what was written, as JSON', false);
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
Values are printed while they come, and are not kept in memory. CSV of any length is read in parts if the server asks for less at once. When
the connection breaks, the output is incomplete, and the exit code is 5; --output then leaves no file.

Examples:
  catchment read @level --start 2024-06 --end 2024-07 > june.csv
  catchment read @stage @discharge -s NOW-7D -e NOW -a AVERAGE -i 1D --tz America/New_York
  catchment read @weather-station -n 10 --long
  catchment read @level -s 2024 -e 2025 -o level.parquet`,
    )
    .action(run);
}

function formatOf(text: string): Format {
  const found = FORMATS.find((format) => format === text.toUpperCase());
  if (!found) throw new UsageError(`--format: must be one of ${FORMATS.join(', ')}`);
  return found;
}

/** Returns what a command asks for, by its options alone. @throws UsageError */
export function askedOf(options: Omit<Options, 'dataDir'>, isTerminal: boolean): DownloadOptions & ReadOptions {
  const { start, end, limit, tz, aggregate, interval, output, json, long, quality, annotations, maxPoints } = options;
  const byName = BY_NAME.find(([pattern]) => pattern.test(output?.replace(/\.gz$/i, '') ?? ''))?.[1];
  const format = options.format ?? byName ?? (json && output === undefined ? 'JSON' : 'CSV');
  if (json && output === undefined && format !== 'JSON')
    throw new UsageError(`--json: prints JSON; with --format ${format} give --output too`);
  if (long && format !== 'CSV') throw new UsageError('--long: is a layout of CSV');
  if (BINARY.includes(format) && output === undefined && isTerminal)
    throw new UsageError(`--format: ${format} is no text for a terminal: give --output, or another program behind |`);
  if (start === undefined && end === undefined && limit === undefined)
    throw new UsageError('--start and --end must be given, or --limit for the newest records');
  if ((start === undefined || end === undefined) && limit === undefined)
    throw new UsageError(`--${start === undefined ? 'start' : 'end'} must be given where there is no --limit`);
  if ((aggregate === undefined) !== (interval === undefined))
    throw new UsageError(aggregate === undefined ? '--interval: needs --aggregate' : '--aggregate: needs --interval');
  const cells = format === 'CSV' || BINARY.includes(format) || format === 'COVJSON' ? 'SEPARATE_VALUE' : undefined;
  return {
    format,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(limit !== undefined && { limit }),
    ...(tz !== undefined && { tz }),
    ...(aggregate !== undefined && interval !== undefined && { aggregate: aggregate.toUpperCase(), interval }),
    ...(long && { layout: 'LONG' }),
    ...(quality && cells && { quality: cells }),
    ...(annotations && cells && { annotation: cells }),
    ...(maxPoints !== undefined && { maxPoints }),
  };
}

async function run(references: readonly string[], options: Options): Promise<void> {
  const asked = askedOf(options, process.stdout.isTTY === true);
  const { openClient } = await import('../api/open-client.ts');
  const { seriesNamed } = await import('../api/nodes-named.ts');
  const { writeOut } = await import('./write-out.ts');
  const { client } = await openClient(options);
  const signal = interruptSignal();
  const series = await seriesNamed(client, references);
  const chunks = client.historic.download(
    series.map(({ _id }) => _id),
    { ...asked, signal },
  );
  await writeOut(chunks, { ...options, series: series.length, format: asked.format, signal });
}
