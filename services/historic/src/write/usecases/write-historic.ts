import type { WriteRequest } from '@catchment/contracts/historic';
import { WriteMode } from '@catchment/contracts/ingest';
import { invalid } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import { isDataSource, isSeries, qualityOfStates, type SeriesNode, writableSeries } from '../../series/index.ts';
import { checkNoWas, type JtsDocument, parseJtsDocument } from '../domain/jts-document.ts';
import { parseRecords } from '../domain/jts-records.ts';
import { columnOfNode } from '../domain/map-columns.ts';
import { readNotifyOn, readWriteMode } from '../domain/write-options.ts';
import type { WriteFacts } from './log-entries.ts';
import { checkColumns, checkMayWrite } from './may-write.ts';
import { readWas } from './read-was.ts';
import { factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';
import { writeParameter } from './write-parameter.ts';
import { writeSource } from './write-source.ts';

/**
 * `PUT /nodes/:id/historic` (docs/reference/writing.md) checks everything before anything is appended; it answers once the ingest log has
 * it.
 * @returns rows (distinct timestamps) handed to the log
 */
export async function writeHistoric(deps: WriteDeps, request: WriteRequest, call: WriteCall): Promise<number> {
  const requester = writer(call, request.ownerId);
  const document = parseJtsDocument(request.body);
  const facts: WriteFacts = {
    ...factsOf(deps, call),
    writeMode: readWriteMode(request.writeMode),
    notifyOn: readNotifyOn(request.notifyOn),
    ...(call.caller.kind === 'service' && {
      isImport: request.isImport === true,
      acquisitionId: request.acquisitionId,
    }),
  };
  const node = await deps.catalogue.resolve(request.nodeRef, requester);
  checkMayWrite(call.caller, node.workspaceId);
  const origin = request.origin || 'API';
  const { continues, inSession = false, deliveries, earlierRows, parameters } = request;
  if (isDataSource(node)) {
    checkNoWas(document);
    return writeSource(deps, {
      source: node,
      document,
      facts,
      origin,
      continues,
      inSession,
      deliveries,
      earlierRows,
      parameters,
      requester,
      call,
    });
  }
  if (!isSeries(node)) throw invalid('NODE_KIND', 'node: must be a Location, a parameter or a data source');
  return writeNode(deps, writableSeries(node), document, request.columnIndex, { facts, origin, call });
}

async function writeNode(
  deps: WriteDeps,
  node: SeriesNode,
  document: JtsDocument,
  columnIndex: number | undefined,
  { facts, origin, call }: { facts: WriteFacts; origin: string; call: WriteCall },
): Promise<number> {
  const index = columnOfNode(document, node, columnIndex);
  const target = { index, valueType: node.series.valueType, qualityOf: qualityOfStates(node) };
  const { columns, rows } = await inSlices(parseRecords(document.rows, [target], 'ignored'));
  checkColumns(call.caller, node.workspaceId, facts.writeMode, columns);
  const [built] = columns;
  if (document.was && facts.writeMode !== WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING)
    throw invalid('INVALID_BODY', 'was: needs writeMode=MERGE_UPDATE_EXISTING');
  if (!built || rows === 0 || facts.writeMode === WriteMode.WRITE_MODE_DISCARD) return 0;
  const was = document.was && (await readWas(document.was, index, node, built));
  return writeParameter(deps, node, { built, rows, origin, was }, { facts, call });
}
