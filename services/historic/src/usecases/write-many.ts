import type { WriteManyRequest } from '@catchment/contracts/historic';
import { WriteMode } from '@catchment/contracts/ingest';
import { partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { parseJtsDocument } from '../domain/jts-document.ts';
import type { ColumnTarget } from '../domain/jts-records.ts';
import { type NamedTarget, parseManyRecords, targetsOfHeader, targetsOfParams } from '../domain/many-targets.ts';
import { qualityOfStates, type SeriesNode, seriesOf, writableSeries } from '../domain/series-node.ts';
import { readNotifyOn, readWriteMode } from '../domain/write-options.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import { checkColumns, checkMayWrite } from './may-write.ts';
import { appendTo, factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';

/**
 * `PUT /historic` (semantics 8.1, 8.4): several parameters and Locations in one document. Everything is checked before
 * anything is appended; answers once every partition concerned has acknowledged its part. Where one of them does not, the
 * others may have theirs: the write is repeated whole, as after any 503.
 * @returns rows handed to the log, summed over the nodes
 */
export async function writeMany(deps: WriteDeps, request: WriteManyRequest, call: WriteCall): Promise<number> {
  const asker = writer(call);
  const named = targetsOfParams(request.params, request.columnIndex);
  const facts: WriteFacts = {
    ...factsOf(deps, call),
    writeMode: readWriteMode(request.writeMode),
    notifyOn: readNotifyOn(request.notifyOn),
  };
  const document = parseJtsDocument(request.body);
  const targets = named ?? targetsOfHeader(document);
  const resolved = await deps.catalogue.resolveAll(
    targets.map(({ nodeRef }) => nodeRef),
    asker,
  );
  for (const { workspaceId } of resolved) checkMayWrite(call.caller, workspaceId);
  const nodes = resolved.map((node) => writableSeries(seriesOf(node, 'this write')));
  const columns = parseManyRecords(document.rows, columnTargets(targets, nodes));
  for (const [n, { workspaceId }] of nodes.entries())
    checkColumns(call.caller, workspaceId, facts.writeMode, [columns[n]]);
  if (facts.writeMode === WriteMode.WRITE_MODE_DISCARD) return 0;

  const byPartition = new Map<number, { sourceId: string; entries: LogEntry[] }>();
  let total = 0;
  for (const [n, node] of nodes.entries()) {
    const built = columns[n];
    const rows = built?.timestamps.length ?? 0;
    if (!built || rows === 0) continue;
    const partition = partitionOf(node.sourceId, deps.partitions);
    const part = byPartition.get(partition) ?? { sourceId: node.sourceId, entries: [] };
    byPartition.set(partition, part);
    const did = { isSource: false, rows, parameters: 1, origin: 'API' };
    part.entries.push(columnEntry(node, built, facts), acquisitionEntry(node, did, facts));
    total += rows;
  }
  // All are waited for, so that a failure of one is told when the fate of every other one is known too.
  const parts = [...byPartition.values()].map(({ sourceId, entries }) => appendTo(deps, sourceId, entries, call));
  const refused = (await Promise.allSettled(parts)).find((outcome) => outcome.status === 'rejected');
  if (refused) throw refused.reason;
  return total;
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
