import { countOf } from '@catchment/number-format';
import { effectiveZone, parseInstantMs } from '@catchment/time';
import { Command, Option } from 'commander';
import { type ApiOptions, addApiOptions, apiClient, collect, nodePath, wholeNumber } from '../api/api-options.ts';
import { openProgress } from '../api/progress.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { interruptSignal } from '../command-line/interrupted.ts';
import { openOutput } from './open-output.ts';
import { type ExportNode, type ExportQuery, exportNodes, pages } from './pages.ts';

type Options = ApiOptions &
  JsonOption & {
    readonly node: readonly string[];
    readonly from?: string;
    readonly to?: string;
    readonly format?: 'csv' | 'jts';
    readonly output?: string;
    readonly zone: string;
    readonly dst: boolean;
    readonly quality: boolean;
    readonly page?: number;
    readonly quiet: boolean;
  };

/** One request asks for this many cells, far below the limits of an answer. */
const CELLS = 100_000;
const ROWS_MAX = 20_000;

/** `catchment export` */
export function exportCommand(): Command {
  const command = new Command('export')
    .option(
      '-n, --node <id>',
      'a parameter, a Location, or a data source for all of its parameters: id, or @customId; repeatable',
      collect,
      [],
    )
    .option('--from <time>', 'first instant, inclusive; ISO 8601 (default: the first record)')
    .option('--to <time>', 'last instant, inclusive; ISO 8601 (default: the last record)')
    .addOption(
      new Option('-f, --format <name>', 'default: as the name of the file ends, or csv').choices(['csv', 'jts']),
    )
    .option('-o, --output <file>', 'a name that ends with .gz is packed (default: standard output)')
    .option('--zone <name>', 'zone of the timestamps, and of --from and --to where they have no offset', 'Etc/UTC')
    .option('--dst', 'with daylight saving time', false)
    .option('--quality', 'CSV: a cell for the quality behind each value', false)
    .option('--page <rows>', 'in one request', wholeNumber(1, ROWS_MAX))
    .option('-q, --quiet', 'no progress', false)
    .option('--json', 'the records as JTS; with --output what was written, as JSON', false);
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
Records are read in requests of a bounded number of rows, so that exports may be of any length. Values have the multiplier and offset, or the equation, of
their parameter, and all of their digits; JTS has qualities and annotations as well. Both can be imported again.

Examples:
  catchment export --node @level --output level.csv
  catchment export --node @weather-station --from 2016-08-01 --to 2016-08-31T23:59:59Z --output august.jts.gz
  catchment export --node @stage --node @discharge --zone America/New_York --dst | head`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  if (options.node.length === 0) throw new UsageError('--node must be given at least once');
  if (options.json && options.output === undefined && options.format === 'csv')
    throw new UsageError('--json: prints JSON; with --format csv give --output too');
  const api = await apiClient(options);
  const zone = effectiveZone(options.zone, options.dst, Date.now(), '--zone');
  const bound = (name: string, text: string | undefined) =>
    text === undefined ? undefined : parseInstantMs(name, text, { zone });
  const [fromMs, toMs] = [bound('--from', options.from), bound('--to', options.to)];
  const nodes = await exportNodes(api, options.node.map(nodePath));
  const query: ExportQuery = {
    nodeIds: nodes.map(({ _id }) => _id),
    format: options.format ?? (options.json && options.output === undefined ? 'jts' : formatOf(options.output)),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    zone: options.zone,
    dst: options.dst,
    quality: options.quality,
    pageRows: options.page ?? Math.min(ROWS_MAX, Math.ceil(CELLS / nodes.length)),
  };
  const span = spanOf(nodes, query);
  const progress = openProgress(span.toMs - span.fromMs, options.quiet);
  const signal = interruptSignal();
  const output = openOutput(options.output);
  const onRetry = (message: string) => progress.say(`${message}; trying again`);
  let rows = 0;
  try {
    for await (const page of pages((path) => api.textPatiently('GET', path, { signal, onRetry }), query)) {
      signal.throwIfAborted();
      rows += page.rows;
      await output.write(page.text);
      if (page.rows > 0) progress.update(page.lastMs - span.fromMs, rows);
    }
    await output.complete();
  } catch (error) {
    await output.abandon();
    throw error;
  } finally {
    progress.stop();
  }
  if (options.json && options.output !== undefined)
    answer(options, { file: options.output, rows, series: nodes.length }, () => []);
  else if (!options.quiet)
    console.error(
      `Exported ${countOf(rows, 'row')} of ${nodes.length} series${options.output ? ` to ${options.output}` : ''}.`,
    );
}

const formatOf = (file = ''): 'csv' | 'jts' => (/\.(?:jts|json)(?:\.gz)?$/i.test(file) ? 'jts' : 'csv');

/** Returns the times of the first and last requested record, for the progress. */
function spanOf(nodes: readonly ExportNode[], { fromMs, toMs }: ExportQuery): { fromMs: number; toMs: number } {
  const times = (of: (node: ExportNode) => string | undefined) =>
    nodes.flatMap((node) => (of(node) ? [Date.parse(of(node) as string)] : []));
  const first = Math.min(...times(({ oldestTime }) => oldestTime));
  const last = Math.max(...times(({ currentTime }) => currentTime));
  const from = Math.max(fromMs ?? first, first);
  const to = Math.min(toMs ?? last, last);
  return Number.isFinite(from) && to > from ? { fromMs: from, toMs: to } : { fromMs: 0, toMs: 0 };
}
