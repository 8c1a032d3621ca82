import { checkPermission } from '@catchment/access';
import type { ReadManyRequest, ReadRequest } from '@catchment/contracts/historic';
import { namedColumns, queryOptions, readOptions, settleBounds, viewOf } from '../../columns/index.ts';
import { seriesOf } from '../../series/index.ts';
import { type AnswerPiece, answerBytes } from './answer-bytes.ts';
import { type ReadCall, type ReadDeps, requesterOf } from './read-deps.ts';

const READING = 'reading historic data';

/** `GET /nodes/:id/historic`. */
export async function* readHistoric(deps: ReadDeps, request: ReadRequest, call: ReadCall): AsyncGenerator<AnswerPiece> {
  const nowMs = request.arrivalMs || deps.now();
  const options = readOptions(request.arguments, nowMs);
  const settled = settleBounds(options, nowMs);
  const found = await deps.catalogue.resolve(request.nodeRef, requesterOf(call));
  checkPermission(call.caller, found.workspaceId, 'EXPORT_DATA');
  const shown = request.hidesPaths ? { ...found, path: '', parentId: '' } : found;
  const node = seriesOf(shown, READING);
  const columns = [{ node, options, view: viewOf(node, options) }];
  yield* answerBytes(deps, { query: options, columns, settled, nowMs }, call);
}

/** In `GET /historic` entry n of `params` is column n (docs/reference/query-arguments.md#params). */
export async function* readMany(deps: ReadDeps, request: ReadManyRequest, call: ReadCall): AsyncGenerator<AnswerPiece> {
  const nowMs = request.arrivalMs || deps.now();
  const query = queryOptions(request.arguments, nowMs);
  const named = namedColumns(request.arguments, query.timeQuery);
  const settled = settleBounds(query, nowMs);
  const resolved = await deps.catalogue.resolveAll(
    named.map(({ nodeRef }) => nodeRef),
    requesterOf(call),
  );
  for (const { workspaceId } of resolved) checkPermission(call.caller, workspaceId, 'EXPORT_DATA');
  const nodes = resolved.map((node) => seriesOf(node, READING));
  const columns = named.flatMap(({ options }, n) => {
    const node = nodes[n];
    return node ? [{ node, options, view: viewOf(node, { ...options, zone: query.zone }) }] : [];
  });
  yield* answerBytes(deps, { query, columns, settled, nowMs }, call);
}
