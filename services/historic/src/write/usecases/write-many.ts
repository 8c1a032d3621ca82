import type { WriteManyRequest } from '@catchment/contracts/historic';
import { WriteMode } from '@catchment/contracts/ingest';
import { inSlices } from '@catchment/fair-queue';
import type { LogEntry } from '@catchment/ingest-log';
import { type BuiltColumn, rowCount } from '../../records/index.ts';
import { qualityOfStates, type SeriesNode, seriesOf, writableSeries } from '../../series/index.ts';
import { checkNoWas, parseJtsDocument } from '../domain/jts-document.ts';
import type { ColumnTarget } from '../domain/jts-records.ts';
import { type NamedTarget, parseManyRecords, targetsOfHeader, targetsOfParams } from '../domain/many-targets.ts';
import { readNotifyOn, readWriteMode } from '../domain/write-options.ts';
import { admitWrites, type SourceWrite, sourceOf } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import { checkColumns, checkMayWrite } from './may-write.ts';
import { factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';

/**
 * `PUT /historic` (docs/reference/writing.md#checks-before-the-answer, docs/reference/writing.md#columns-of-a-write)
 * writes several parameters and Locations in one document. Everything is checked before anything is appended; the answer comes
 * once every partition concerned has acknowledged its part. Where one of them does not, the others may have theirs: the write is
 * repeated whole, as after any 503.
 * @returns rows sent, summed over the nodes
 */
export async function writeMany(deps: WriteDeps, request: WriteManyRequest, call: WriteCall): Promise<number> {
  const requester = writer(call);
  const named = targetsOfParams(request.params, request.columnIndex);
  const facts: WriteFacts = {
    ...factsOf(deps, call),
    writeMode: readWriteMode(request.writeMode),
    notifyOn: readNotifyOn(request.notifyOn),
  };
  const document = parseJtsDocument(request.body);
  checkNoWas(document);
  const targets = named ?? targetsOfHeader(document);
  const resolved = await deps.catalogue.resolveAll(
    targets.map(({ nodeRef }) => nodeRef),
    requester,
  );
  for (const { workspaceId } of resolved) checkMayWrite(call.caller, workspaceId);
  const nodes = resolved.map((node) => writableSeries(seriesOf(node, 'this write')));
  const columns = await inSlices(parseManyRecords(document.rows, columnTargets(targets, nodes)));
  for (const [n, { workspaceId }] of nodes.entries())
    checkColumns(call.caller, workspaceId, facts.writeMode, [columns[n]]);
  if (facts.writeMode === WriteMode.WRITE_MODE_DISCARD) return 0;

  const bySource = Map.groupBy(
    nodes.flatMap((node, n) => {
      const built = columns[n];
      return built && built.timestamps.length > 0 ? [{ node, built }] : [];
    }),
    ({ node }) => node.sourceId,
  );
  const writes = await Promise.all([...bySource.values()].map((some) => sourceWrite(deps, some, facts)));
  await admitWrites(deps, writes, facts, call);
  return [...bySource.values()].flat().reduce((sum, { built }) => sum + built.timestamps.length, 0);
}

type Written = { readonly node: SeriesNode; readonly built: BuiltColumn };

/** Each node of one source has an acquisition, of which the first reports the records that are left out. */
async function sourceWrite(deps: WriteDeps, written: readonly Written[], facts: WriteFacts): Promise<SourceWrite> {
  const [first] = written as readonly [Written, ...Written[]];
  const columns = written.map(({ built }) => built);
  return {
    sourceId: first.node.sourceId,
    ownerId: first.node.ownerId,
    source: await sourceOf(deps, first.node),
    columns,
    rows: rowCount(columns),
    toEntries: (kept, { excluded, dropped }) =>
      written.flatMap(({ node }, n): LogEntry[] => {
        const built = kept[n];
        const rows = built?.timestamps.length ?? 0;
        const leftOut = n === 0 ? { excluded, dropped } : {};
        const did = { isSource: false, rows, parameters: 1, origin: 'API', ...leftOut };
        const isNews = rows > 0 || (n === 0 && excluded + dropped > 0);
        return [
          ...(built && rows > 0 ? [columnEntry(node, built, facts)] : []),
          ...(isNews ? [acquisitionEntry(node, did, facts)] : []),
        ];
      }),
  };
}

/** Nodes of one kind share what reads their values, so that a column for many of them is read once. */
function columnTargets(targets: readonly NamedTarget[], nodes: readonly SeriesNode[]): ColumnTarget[] {
  const qualities = new Map(nodes.map((node) => [node.nodeId, qualityOfStates(node)]));
  return nodes.map(({ nodeId, series: { valueType } }, n) => ({
    index: targets[n]?.index ?? 0,
    valueType,
    qualityOf: qualities.get(nodeId),
  }));
}
