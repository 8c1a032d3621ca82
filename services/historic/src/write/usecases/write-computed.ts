import { serviceCaller } from '@catchment/access';
import type { ComputedSeries, WriteComputedRequest } from '@catchment/contracts/historic';
import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { invalid, tooLarge } from '@catchment/errors';
import { COLUMNS_MAX, RECORDS_MAX } from '@catchment/ids';
import { type LogEntry, sliceColumn } from '@catchment/ingest-log';
import { rowCount } from '../../records/index.ts';
import { isSeries, isStorable, rangeRemoval, type SeriesNode } from '../../series/index.ts';
import { computedColumn } from '../domain/computed-column.ts';
import { appendComputed } from './append-computed.ts';
import { acquisitionEntry, columnEntry } from './log-entries.ts';
import { appendTo, factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';

const PROCESSOR = 'source.data.Processor';
const COMPUTED_PARAMETERS: ReadonlySet<string> = new Set([
  'point.NumberRatingPoint',
  'point.NumberProcessPoint',
  'point.TextProcessPoint',
  'point.TimeProcessPoint',
]);

/**
 * Appends results of a program or a rating (docs/reference/processing-and-ratings.md#program-runs) to the log at once: they may be sent
 * again and then change nothing.
 * @throws DomainError permission_denied for anybody but the processing service, not_found, invalid_argument, too_large, unavailable
 */
export async function writeComputed(deps: WriteDeps, request: WriteComputedRequest, call: WriteCall): Promise<void> {
  serviceCaller(call.caller, 'processing');
  const { ownerId, sourceId, series } = request;
  if (series.length > COLUMNS_MAX) throw tooLarge(`series: must be at most ${COLUMNS_MAX}`);
  const records = series.reduce((sum, { timestamps }) => sum + timestamps.length / Float64Array.BYTES_PER_ELEMENT, 0);
  if (records > RECORDS_MAX) throw tooLarge(`series: must have at most ${RECORDS_MAX} records`);
  const [source, ...nodes] = await deps.catalogue.resolveAll(
    [sourceId, ...series.map(({ nodeId }) => nodeId)],
    writer(call, ownerId),
  );
  if (!source) return;
  const facts = { ...factsOf(deps, call), writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING };
  const entries = series.flatMap((computed, n) => entriesOf(computedSeries(nodes[n], source), computed, facts));
  const acquisition = (kept: readonly LogEntry[], dropped: number): LogEntry[] => {
    const columns = kept.flatMap((entry) => (entry.kind === 'column' ? [entry.column] : []));
    const parameters = new Set(columns.map(({ nodeId }) => nodeId)).size;
    const did = { isSource: true, rows: rowCount(columns), parameters, origin: 'program', dropped };
    return [acquisitionEntry(source, did, { ...facts, notifyOn: NotifyOn.NOTIFY_ON_ALL_NEWER })];
  };
  if (entries.length === 0 && !request.isAcquisition) return;
  const append = (to: string, all: readonly LogEntry[]) => appendTo(deps, to, all, call);
  await appendComputed(deps.limits, append, source, entries, request.isAcquisition ? acquisition : undefined);
}

/** @throws DomainError invalid_argument for any series that nothing computes, and outputs of programs of other sources */
function computedSeries(node: NodeConfig | undefined, source: NodeConfig): SeriesNode {
  const isOutput = source.class === PROCESSOR && node?.parentId === source.nodeId && node.series?.writable === true;
  if (node && isSeries(node) && node.sourceId === source.nodeId && (isOutput || COMPUTED_PARAMETERS.has(node.class)))
    return node;
  throw invalid(
    'NODE_KIND',
    `series of ${node?.nodeId}: must be a process or rating parameter, or an output of the source`,
  );
}

type Facts = Omit<Parameters<typeof columnEntry>[2], 'notifyOn'>;

function entriesOf(node: SeriesNode, series: ComputedSeries, facts: Facts): LogEntry[] {
  const entries: LogEntry[] = [];
  if (series.empties) {
    const { nodeId, ownerId, workspaceId, sourceId } = node;
    const target = { nodeId, ownerId, workspaceId, sourceId, valueType: node.series.valueType };
    const seriesDelete = { ...target, timeMs: facts.modifiedMs, username: facts.username, recomputing: true };
    entries.push({ kind: 'seriesDelete', seriesDelete });
  }
  const { toldFromMs = Number.NEGATIVE_INFINITY, clears } = series;
  if (clears) {
    const { fromMs, toMs } = clears;
    if (!isStorable(fromMs) || !isStorable(toMs) || fromMs > toMs)
      throw invalid('INVALID_ARGUMENT', `series of ${node.nodeId}, clears: must be a storable range`);
    const notifyOn = toMs < toldFromMs ? NotifyOn.NOTIFY_ON_NONE : NotifyOn.NOTIFY_ON_ALL_NEWER;
    const removal = rangeRemoval(node, fromMs, toMs, { notifyOn, modifiedMs: facts.modifiedMs });
    entries.push({ kind: 'column', column: removal });
  }
  const built = computedColumn(node, series);
  const { length } = built.timestamps;
  const firstNotified = built.timestamps.findIndex((time) => time >= toldFromMs);
  const silent = firstNotified < 0 ? length : firstNotified;
  for (const [from, to, notifyOn] of [
    [0, silent, NotifyOn.NOTIFY_ON_NONE],
    [silent, length, NotifyOn.NOTIFY_ON_ALL_NEWER],
  ] as const) {
    const whole = columnEntry(node, built, { ...facts, notifyOn });
    if (from < to && whole.kind === 'column') entries.push({ ...whole, column: sliceColumn(whole.column, from, to) });
  }
  return entries;
}
