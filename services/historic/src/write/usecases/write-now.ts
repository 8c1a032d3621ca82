import { checkPermission } from '@catchment/access';
import type { DeleteAllRequest, WriteNowRequest } from '@catchment/contracts/historic';
import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { qualityOfStates, seriesOf, writableSeries } from '../../series/index.ts';
import { buildNowColumn, parseNowBody } from '../domain/now-record.ts';
import type { WriteFacts } from './log-entries.ts';
import { appendTo, factsOf, type WriteCall, type WriteDeps, writer } from './write-deps.ts';
import { writeParameter } from './write-parameter.ts';

/**
 * `PUT /nodes/:id/historic/now` (docs/reference/writing.md#one-record) writes one record in the place of a record of the same time.
 * @returns rows
 */
export async function writeNow(deps: WriteDeps, request: WriteNowRequest, call: WriteCall): Promise<number> {
  const requester = writer(call);
  const now = parseNowBody(request.body, request.arrivalMs || deps.now());
  const found = await deps.catalogue.resolve(request.nodeRef, requester);
  checkPermission(call.caller, found.workspaceId, 'EDIT_DATA');
  const node = writableSeries(seriesOf(found, 'this write'));
  const built = buildNowColumn(now, node.series.valueType, qualityOfStates(node));
  const facts: WriteFacts = {
    ...factsOf(deps, call),
    writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
    notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  };
  return writeParameter(deps, node, { built, rows: 1, origin: 'API' }, { facts, call });
}

/**
 * `DELETE /nodes/:id/historic` (docs/reference/writing.md#deleting-history) deletes all records accepted before; it is allowed on read-only
 * parameters too.
 * @returns rows written: none
 */
export async function deleteHistoric(deps: WriteDeps, request: DeleteAllRequest, call: WriteCall): Promise<number> {
  const found = await deps.catalogue.resolve(request.nodeRef, writer(call));
  checkPermission(call.caller, found.workspaceId, 'EDIT_DATA');
  const node = seriesOf(found, 'deleting historic data');
  const { modifiedMs: timeMs, username } = factsOf(deps, call);
  const { nodeId, ownerId, workspaceId, sourceId, series } = node;
  const { valueType } = series;
  const of = { nodeId, ownerId, workspaceId, sourceId, valueType };
  const seriesDelete = { ...of, timeMs, username, recomputing: false };
  await appendTo(deps, sourceId, [{ kind: 'seriesDelete', seriesDelete }], call);
  deps.limits.forget([sourceId]);
  return 0;
}
