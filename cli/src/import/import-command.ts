import type { ParserSettings, SeriesType } from '@catchment/delimited-text';
import { looksLikeJson } from '@catchment/delimited-text';
import { countOf } from '@catchment/number-format';
import { effectiveZone } from '@catchment/time';
import { Command, Option } from 'commander';
import type { ApiClient } from '../api/api-client.ts';
import { type ApiOptions, addApiOptions, apiClient, collect, nodePath, wholeNumber } from '../api/api-options.ts';
import { openProgress } from '../api/progress.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { interruptSignal } from '../command-line/interrupted.ts';
import { chooseColumns } from './choose-columns.ts';
import type { ImportSource } from './import-source.ts';
import { defaultStateFile, ImportState } from './import-state.ts';
import { jtsSource } from './jts-source.ts';
import { type OpenedFile, openFile } from './open-file.ts';
import { sendRecords } from './send-records.ts';
import { typeOf, typesOf } from './series-types.ts';
import { textSource } from './text-source.ts';

const WRITE_MODES = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'DISCARD',
];

type Options = ApiOptions &
  JsonOption & {
    readonly node: string;
    readonly column: readonly string[];
    readonly time: readonly string[];
    readonly where: readonly string[];
    readonly missing: readonly string[];
    readonly zone: string;
    readonly dst: boolean;
    readonly delimiter?: string;
    readonly decimal?: '.' | ',';
    readonly quote?: string;
    readonly encoding?: ParserSettings['encoding'];
    readonly labelsRow?: number;
    readonly unitsRow?: number;
    readonly strict: boolean;
    readonly writeMode: string;
    readonly notifyOn: string;
    readonly batch: number;
    readonly state?: string;
    readonly fresh: boolean;
    readonly dryRun: boolean;
    readonly quiet: boolean;
  };

/** `catchment import` */
export function importCommand(): Command {
  const command = new Command('import')
    .argument('<file>', 'at most 250 MB; its kind is detected')
    .requiredOption(
      '-n, --node <id>',
      'a data source (a parameter for every column), or one parameter: id, or @customId',
    )
    .option('-c, --column <name[=series]>', 'only this column, by label or number from 1; repeatable', collect, [])
    .option(
      '-t, --time <name[:format]>',
      'column of the time; repeatable if several columns make the time',
      collect,
      [],
    )
    .option(
      '-w, --where <name=text>',
      'only lines that have this text, or a match of /regex/, in the column',
      collect,
      [],
    )
    .option('--missing <text>', 'a text that means no value, such as NA; repeatable', collect, [])
    .option('--zone <name>', 'zone of timestamps without an offset', 'Etc/UTC')
    .option('--dst', 'these timestamps follow the zone through daylight saving time', false)
    .option('--delimiter <text>', '1 to 5 characters, TAB, SPACE, SEMICOLON or PIPE')
    .addOption(new Option('--decimal <sign>', 'decimal separator').choices(['.', ',']))
    .option('--quote <sign>', 'text qualifier; empty = none')
    .addOption(new Option('--encoding <name>').choices(['UTF-8', 'ISO-8859-1', 'windows-1252', 'UTF-16LE', 'UTF-16BE']))
    .option('--labels-row <line>', 'line of the labels, from 1', wholeNumber(1, 10_000))
    .option('--units-row <line>', 'line of the units, from 1', wholeNumber(1, 10_000))
    .option('--strict', 'stop at the first line or field that cannot be read', false)
    .addOption(new Option('--write-mode <mode>').choices(WRITE_MODES).default(WRITE_MODES[0]))
    .addOption(
      new Option('--notify-on <mode>', 'which records may raise alarms')
        .choices(['LATEST_ONLY', 'ALL_NEWER', 'NONE'])
        .default('LATEST_ONLY'),
    )
    .option('--batch <records>', 'in one request', wholeNumber(1, 20_000), 2000)
    .option('--state <file>', 'where the position is kept (default: in ~/.local/state/catchment)')
    .option('--fresh', 'begin at the first record, whatever an earlier import has done', false)
    .option('--dry-run', 'read the file and say what would be imported', false)
    .option('-q, --quiet', 'no progress', false);
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
An import that was killed goes on where it was when the same command is given again. Records that are written twice replace themselves, so none is
lost or stored twice. The daily limits of rows hold for imports too.

Examples:
  catchment import CR1000_Table1.dat --node @weather-station --zone Australia/Sydney
  catchment import gauge.rdb --node @gauge --zone America/New_York --dst
  catchment import level.csv --node @level --column "Water level" --missing NA
  catchment import airports.csv --node @jfk --where origin=JFK --column temp --zone America/New_York --dst \\
    --time year:YYYY --time month:M --time day:D --time hour:H
  catchment import upload.csv --node @station --time "Date:D/M/YYYY H:mm" --dry-run`,
    )
    .action(run);
}

async function run(path: string, options: Options): Promise<void> {
  const file = await openFile(path);
  const api = await apiClient(options);
  const node = (await api.send('GET', `/nodes/${nodePath(options.node)}?attr=_id,_class,name`)) as Node;
  const source = await openSource(file, node, api, options);
  const series = Object.values(source.columns).map((column) => (column as { name?: string }).name ?? '');
  if (!options.quiet) console.error(`${source.description}: ${series.length || 1} series into ${node.name}`);
  if (options.dryRun) return dryRun(source, series, options);
  const isSource = isDataSource(node);
  if (!isSource && series.length > 1) {
    throw new UsageError(
      `${node.name} takes one series, the file has ${series.length}: ${series.join(', ').slice(0, 1000)}. Choose with --column.`,
    );
  }
  const stateFile = options.state ?? defaultStateFile(path, api.url, node._id);
  const { state: _state, fresh: _fresh, quiet: _quiet, json: _json, ...others } = options;
  const { key: _key, dataDir: _dataDir, url: _url, profile: _profile, ...settings } = others;
  const state = new ImportState(stateFile, [file.head, String(file.sizeBytes), node._id, JSON.stringify(settings)]);
  const from = options.fresh ? undefined : await state.read();
  if (from) console.error(`Goes on after ${countOf(from.records, 'record')}.`);
  const progress = openProgress(file.sizeBytes, options.quiet);
  const signal = interruptSignal('Interrupted; the same command goes on.');
  const began = performance.now();
  try {
    const query = `writeMode=${options.writeMode}&notifyOn=${options.notifyOn}`;
    const target = `/nodes/${node._id}/historic?${query}${isSource ? '' : `&columnIndex=${Object.keys(source.columns)[0] ?? 0}`}`;
    const sent = await sendRecords({
      put: (body) =>
        api.textPatiently('PUT', target, {
          body,
          signal,
          onRetry: (message) => progress.say(`${message}; trying again`),
        }),
      source: isSource ? source : { ...source, columns: {} },
      state,
      from: from ?? { records: 0, values: 0 },
      batch: options.batch,
      progress,
      readBytes: file.readBytes,
      signal,
    });
    await state.remove();
    progress.update(file.sizeBytes, sent.records);
    progress.stop();
    const seconds = (performance.now() - began) / 1000;
    const rate = Math.round((sent.records - (from?.records ?? 0)) / seconds);
    const { records, values, firstTs = null, lastTs = null } = sent;
    const remarks = source.remarks();
    answer(options, { node: node._id, records, values, firstTs, lastTs, seconds, remarks }, () => [
      `Imported ${countOf(records, 'record')} with ${countOf(values, 'value')}, from ${firstTs ?? '–'} to ${lastTs ?? '–'}, in ${seconds.toFixed(1)} s (${rate} records/s).`,
      ...remarks,
    ]);
  } finally {
    progress.stop();
  }
}

type Node = { readonly _id: string; readonly _class: string; readonly name: string };
const isDataSource = ({ _class }: Node): boolean => _class.includes('.source.data.');

async function openSource(file: OpenedFile, node: Node, api: ApiClient, options: Options): Promise<ImportSource> {
  const zone = effectiveZone(options.zone, options.dst, Date.now(), '--zone');
  if (await isJson(file)) return jtsSource(() => file.bytes(), zone);
  const { delimiter, decimal, quote, encoding, labelsRow, unitsRow } = options;
  const settings: ParserSettings = {
    ...(delimiter !== undefined && { delimiter }),
    ...(decimal !== undefined && { decimalSeparator: decimal }),
    ...(quote !== undefined && { textQualifier: quote }),
    ...(encoding !== undefined && { encoding }),
    ...(labelsRow !== undefined && { labelsRow }),
    ...(unitsRow !== undefined && { unitsRow }),
  };
  const knownTypes = await childTypes(node, api);
  const { column: columns, where } = options;
  return textSource(
    file.bytes(),
    {
      settings,
      zone,
      nowMs: Date.now(),
      noValues: options.missing,
      ...(options.time.length > 0 && { time: options.time }),
      adjust: (layout) => chooseColumns(layout, { columns, where, knownTypes, ownType: typeOf(node._class) }),
    },
    options.strict,
  );
}

/** Looks at the first bytes as they are unpacked. */
async function isJson(file: OpenedFile): Promise<boolean> {
  for await (const chunk of file.bytes()) return looksLikeJson(chunk);
  return false;
}

/** Returns the types of the parameters under a source. */
async function childTypes(node: Node, api: ApiClient): Promise<ReadonlyMap<string, SeriesType>> {
  if (!isDataSource(node)) return new Map();
  const filter = `parentId($eq:${node._id})`;
  return typesOf((await api.send('GET', `/nodes?filter=${filter}&attr=_class,name,series`)) as readonly object[]);
}

async function dryRun(source: ImportSource, series: readonly string[], options: JsonOption): Promise<void> {
  let records = 0;
  const shown: string[] = [];
  for await (const { place, ts, f } of source.records()) {
    records += 1;
    if (shown.length < 3) shown.push(`  ${place}  ${ts}  ${JSON.stringify(f).slice(0, 200)}`);
  }
  const remarks = source.remarks();
  answer(options, { records, series, remarks }, () => [
    `${countOf(records, 'record')} of ${series.length} series: ${series.join(', ')}`,
    ...shown,
    ...remarks,
  ]);
}
