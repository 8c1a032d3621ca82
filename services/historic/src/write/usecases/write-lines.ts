import { isUtf8 } from 'node:buffer';
import type { WriteLinesRequest, WriteLinesResponse } from '@catchment/contracts/historic';
import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, invalid } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import type { Requester } from '@catchment/node-replica';
import { rowCount } from '../../records/index.ts';
import { isDataSource, isSeries, qualityOfStates, type SeriesNode, type SourceIndex } from '../../series/index.ts';
import { type CollectedLines, collectLines, kindOfType, type LineColumn } from '../domain/lines/collect-lines.ts';
import { PRECISIONS } from '../domain/lines/line-time.ts';
import { seriesRule } from '../domain/lines/series-rule.ts';
import { admitWrites } from './admit-writes.ts';
import { checkColumns, checkMayWrite } from './may-write.ts';
import { followersOf, sourceWrite } from './source-entries.ts';
import { factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';

/** Parameters of a source (docs/reference/writing.md#data-source-writes, rule 6). */
const MAX_PARAMETERS = 500;

type Found = { readonly column: LineColumn; readonly parameter: SeriesNode };
type Lines = { readonly source: NodeConfig; readonly requester: Requester; readonly collected: CollectedLines };

/**
 * `POST /write` (docs/reference/line-protocol.md) writes lines to the parameters of a data source, which are made where they are missing.
 * Good lines are written though others are not. It answers once the ingest log has them.
 */
export async function writeLines(
  deps: WriteDeps,
  { nodeRef, lines, precision, arrivalMs, continues }: WriteLinesRequest,
  call: WriteCall,
): Promise<WriteLinesResponse> {
  const requester = writer(call);
  const source = await deps.catalogue.resolve(nodeRef, requester);
  checkMayWrite(call.caller, source.workspaceId);
  if (!isDataSource(source)) throw invalid('NODE_KIND', 'node: must be a data source');
  const known = PRECISIONS.find((unit) => unit === precision);
  if (!known) throw invalid('INVALID_ARGUMENT', `precision: must be ${PRECISIONS.join(', ')}`);
  const index = await deps.catalogue.parametersOf(source);
  const collected = await inSlices(
    collectLines(
      lines.toString('utf8'),
      { precision: known, arrivalMs: arrivalMs || deps.now(), isDamaged: !isUtf8(lines) },
      seriesRule(source.source?.lineSeries ?? ''),
      (key) => kindIn(index, key),
    ),
  );
  const facts = {
    ...factsOf(deps, call),
    writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
    notifyOn: NotifyOn.NOTIFY_ON_ALL_NEWER,
  };
  checkColumns(call.caller, source.workspaceId, facts.writeMode, []);
  const found = await parametersOf(deps, { source, requester, collected }, index, call);
  const columns = found.map(({ column, parameter }) =>
    collected.build(column, parameter.series.valueType, qualityOfStates(parameter)),
  );
  const rows = rowCount(columns);
  if (rows > 0) {
    const parameters = found.map(({ parameter }) => parameter);
    const followers = await followersOf(deps, source, call);
    const write = sourceWrite({ source, parameters, followers, facts, origin: 'API', continues }, { columns, rows });
    await admitWrites(deps, [write], facts, call);
  }
  return { lines: collected.lines, dropped: collected.dropped, problems: collected.problems };
}

/** Finds the kind of values that a series takes, as far as it is known here. */
function kindIn(index: SourceIndex, key: string) {
  const node = index.bySeries(key) ?? index.adopting(key);
  return node?.series ? kindOfType(node.series.valueType) : 'unknown';
}

/** Returns the parameters of all series of the lines; lines of series that can have none are left out. */
async function parametersOf(
  deps: WriteDeps,
  { source, requester, collected }: Lines,
  known: SourceIndex,
  call: WriteCall,
): Promise<Found[]> {
  const columns = [...collected.columns.values()];
  const isMissing = ({ key }: LineColumn) => known.bySeries(key) === undefined;
  const index = columns.some(isMissing) ? await deps.catalogue.refreshParameters(source, requester) : known;
  const found = new Map(columns.map((column) => [column, index.bySeries(column.key)]));
  const missing = columns.filter((column) => !found.get(column));
  const adopted = missing.filter(({ key }) => index.adopting(key));
  const room = Math.max(0, MAX_PARAMETERS - index.all().length);
  const fresh = missing.filter((column) => !adopted.includes(column));
  for (const column of fresh.slice(room))
    collected.drop(column.lines, `max-parameters-per-source limit exceeded: (${MAX_PARAMETERS})`);
  // A line that is left out makes no parameter: a line of many fields would fill the source.
  const wanted = [...adopted, ...fresh.slice(0, room)].filter((column) => collected.isKept(column));
  await make(deps, { source, requester, collected }, wanted, found, call);
  if (requester.scope.closedTo) {
    const ids = [...found.values()].flatMap((node) => node?.nodeId ?? []);
    await deps.catalogue.checkVisible(ids, requester);
  }
  return columns.flatMap((column): Found[] => {
    const parameter = found.get(column);
    if (!parameter || !isSeries(parameter)) return [];
    const { series, name } = parameter;
    if (!series.writable) {
      collected.drop(column.lines, `parameter '${name}' is computed, and cannot be written`);
      return [];
    }
    if (kindOfType(series.valueType) === column.kind) return [{ column, parameter }];
    collected.refuse(column, series.valueType);
    return [];
  });
}

async function make(
  { catalogue }: WriteDeps,
  { source, requester, collected }: Lines,
  missing: readonly LineColumn[],
  found: Map<LineColumn, NodeConfig | undefined>,
  call: WriteCall,
): Promise<void> {
  if (missing.length === 0) return;
  const asked = missing.map(({ key, kind, first }, n) => ({
    index: n,
    id: '',
    series: key,
    name: '',
    units: '',
    dataType: first.type === 'boolean' ? 'BOOLEAN' : kind === 'text' ? 'TEXT' : 'NUMBER',
  }));
  try {
    const made = await catalogue.ensure(source, asked, requester, call.deadlineMs);
    for (const [n, column] of missing.entries()) found.set(column, made[n]);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
    for (const column of missing) collected.drop(column.lines, error.message);
  }
}
