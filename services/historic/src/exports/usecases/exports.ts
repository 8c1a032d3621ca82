import { apiCaller, checkPermission, may, scopeOf } from '@catchment/access';
import type { CreateExportRequest } from '@catchment/contracts/exports';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, notFound } from '@catchment/errors';
import { COLUMNS_MAX, newObjectId } from '@catchment/ids';
import { parseJsonBody } from '@catchment/json-body';
import { columnOptions, evaluateBounds, needsSeries, queryOptions } from '../../columns/index.ts';
import { type ReadCall, type ReadDeps, requesterOf } from '../../read/index.ts';
import { planRange } from '../../records/index.ts';
import { type Catalogue, isDataSource, type SeriesNode, seriesOf } from '../../series/index.ts';
import { type Export, type ExportPlan, formatOf, readExport, SERIES_MAX, tooManySeries } from '../domain/export.ts';
import { EXPORT_SEGMENT_BYTES } from './export-worker.ts';
import type { Exports } from './ports.ts';

export type ExportDeps = {
  readonly exports: Exports;
  readonly read: Omit<ReadDeps, 'catalogue'> & {
    readonly catalogue: Pick<Catalogue, 'resolve' | 'resolveAll' | 'parametersBelow'>;
  };
  /** Wakes the worker: there is an export to make. */
  readonly wake: () => void;
};

/** One account has at most this many exports; finished exports that are kept count. */
const EXPORTS_MAX = 10;

/**
 * `POST /exports` (docs/reference/writing.md#exports) checks all that can be checked, then keeps the export until any replica makes it.
 * @throws DomainError invalid_argument, not_found, permission_denied, resource_exhausted
 */
export async function createExport(
  deps: ExportDeps,
  { body, arrivalMs }: CreateExportRequest,
  call: ReadCall,
): Promise<Export> {
  const caller = apiCaller(call.caller);
  const { exports, read, wake } = deps;
  const nowMs = arrivalMs || read.now();
  const wanted = readExport(parseJsonBody(body));
  const query = queryOptions({ ...wanted.arguments, format: formatOf(wanted.format) }, nowMs);
  columnOptions(wanted.arguments, 'RECORD');
  const nodes = await seriesOfAll(deps, wanted.nodeRefs, call);
  if (wanted.layout === 'INTERLEAVED' && nodes.length > COLUMNS_MAX) throw tooManyColumns();
  const ofRecords = needsSeries(query.start) || needsSeries(query.end) ? nodes : [];
  const { startMs, endMs } = await evaluateBounds(read.reader, ofRecords, query, nowMs, call.signal);
  planRange({ startMs, endMs, limit: 1 });
  if ((await exports.count(caller.ownerId)) >= EXPORTS_MAX)
    throw new DomainError(
      'resource_exhausted',
      'TOO_MANY_EXPORTS',
      `At most ${EXPORTS_MAX} exports of an account are kept`,
    );
  const plan: ExportPlan = {
    format: wanted.format,
    layout: wanted.layout,
    arguments: wanted.arguments,
    nodeIds: nodes.map(({ nodeId }) => nodeId),
    workspaceIds: [...new Set(nodes.map(({ workspaceId }) => workspaceId))],
    startMs: startMs ?? null,
    endMs: endMs ?? null,
  };
  const exportId = newObjectId(nowMs);
  await exports.insert({ exportId, caller, plan });
  wake();
  return getExport(deps, exportId, call);
}

const tooManyColumns = () =>
  new DomainError('invalid_argument', 'INVALID_PARAMS', `nodes: at most ${COLUMNS_MAX} series may be INTERLEAVED`);

/**
 * Returns the series that references name, each once; a data source, Group or Workspace stands for all parameters below it that
 * the caller may see.
 */
async function seriesOfAll({ read }: ExportDeps, refs: readonly string[], call: ReadCall): Promise<SeriesNode[]> {
  const requester = requesterOf(call);
  const resolved = await read.catalogue.resolveAll(refs, requester);
  for (const { workspaceId } of resolved) checkPermission(call.caller, workspaceId, 'EXPORT_DATA');
  const nodes = new Map<string, SeriesNode>();
  for (const node of resolved) {
    const parameters = standsForParameters(node)
      ? await read.catalogue.parametersBelow(node.nodeId, requester, SERIES_MAX + 1)
      : [node];
    for (const parameter of parameters) nodes.set(parameter.nodeId, seriesOf(parameter, 'an export'));
    if (nodes.size > SERIES_MAX) throw tooManySeries();
  }
  return [...nodes.values()];
}

const standsForParameters = (node: NodeConfig): boolean =>
  isDataSource(node) || node.class === 'Group' || node.class === 'Workspace';

/** @throws DomainError not_found: there is none, or another user's */
export async function getExport(
  { exports }: Pick<ExportDeps, 'exports'>,
  exportId: string,
  { caller }: Pick<ReadCall, 'caller'>,
): Promise<Export> {
  const found = await exports.find(apiCaller(caller), exportId.toLowerCase());
  if (!found || !isVisible(found, caller)) throw notFound();
  return found;
}

/** A user has keys that may less than the one that has asked for the export. */
function isVisible({ plan }: Export, caller: ReadCall['caller']): boolean {
  const { workspaceIds } = scopeOf(caller);
  return plan.workspaceIds.every(
    (workspaceId) => (workspaceIds?.includes(workspaceId) ?? true) && may(caller, workspaceId, 'EXPORT_DATA'),
  );
}

export async function listExports(
  { exports }: Pick<ExportDeps, 'exports'>,
  { caller }: Pick<ReadCall, 'caller'>,
): Promise<Export[]> {
  return (await exports.list(apiCaller(caller))).filter((found) => isVisible(found, caller));
}

/** An export that is being made is given up. @throws DomainError not_found */
export async function deleteExport(
  { exports }: Pick<ExportDeps, 'exports'>,
  exportId: string,
  { caller }: Pick<ReadCall, 'caller'>,
): Promise<void> {
  const found = await getExport({ exports }, exportId, { caller });
  if (!(await exports.remove(apiCaller(caller), found.exportId))) throw notFound();
}

/** Reads the file, a segment at a time. @throws DomainError not_found; failed_precondition while there is none */
export async function* readExportFile(
  { exports }: Pick<ExportDeps, 'exports'>,
  exportId: string,
  call: Pick<ReadCall, 'caller'>,
): AsyncGenerator<Uint8Array> {
  const found = await getExport({ exports }, exportId, call);
  if (found.sizeBytes === null)
    throw new DomainError('failed_precondition', 'EXPORT_NOT_READY', 'The export has no file');
  for (let segment = 0; segment * EXPORT_SEGMENT_BYTES < found.sizeBytes; segment += 1) {
    const bytes = await exports.readSegment(found.exportId, segment);
    if (!bytes) throw notFound();
    yield bytes;
  }
}
