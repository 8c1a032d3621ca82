import { type ApiCaller, scopeOf } from '@catchment/access';
import type { LoadReportRequest, LoadReportResponse } from '@catchment/contracts/nodes';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { readOwner } from '../../changes/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import type { Link } from '../../domain/classes/page-links.ts';
import { lineOf, type NodeDeps, nodeConfigs } from '../../nodes/index.ts';
import { noReport } from '../../schedules/index.ts';
import { readerOf } from '../../sending/index.ts';
import { NO_EDGES, NO_REPORT, shownOf } from '../../shown/index.ts';
import { draftNode, listParametersBelow } from '../../tree/index.ts';
import type { ReadEdges } from '../../values/index.ts';
import {
  formatOf,
  getNode,
  nodeObject,
  nodeView,
  type SharedViews,
  shownAt,
  type ViewedNode,
  valueText,
  viewedByReferences,
} from '../../views/index.ts';
import { isCharted, pictureOf, pictureReferences, pictureSourceOf } from '../domain/report-pictures.ts';
import { placesOf, shownBelow } from '../domain/report-places.ts';
import { attachmentsUntil, locationNames } from '../store/report-nodes-query.ts';

export type ReportDeps = NodeDeps & {
  readonly shared: SharedViews;
  readonly readEdges: ReadEdges;
};

type LoadCall = { readonly caller: ApiCaller; readonly signal: AbortSignal };

/** A report that names no parameters shows at most this many. */
const MOST_BELOW = 200;
/** Times are printed like this where a parameter has no format. */
const TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss';

/**
 * Loads a Report with all that its template can name (docs/reference/dashboards-and-reports.md#report): a few statements, and one call for
 * the values of another time.
 * @throws DomainError not_found, permission_denied, failed_precondition (no Report), invalid_argument (zone)
 */
export async function loadReport(
  deps: ReportDeps,
  request: LoadReportRequest,
  { caller, signal }: LoadCall,
): Promise<LoadReportResponse> {
  const { database, names } = deps;
  const scope = scopeOf(caller);
  const saved = await getNode(deps, scope, request.nodeRef);
  const cls = nodeClass(saved.class);
  if (cls.kind !== 'report') throw noReport(saved.class);
  const report = await draftNode(deps, caller, saved, request.draft);
  const attribute = (name: string) => attributeOf(cls, report.config, name);
  const template = attribute('template') as { readonly elements: readonly unknown[] };
  const timezone = request.timezone || String(attribute('timezone'));
  const adjustForDst = request.timezoneAdjustForDst ?? attribute('timezoneAdjustForDst') === true;
  const nowMs = request.nowMs ?? deps.now();
  const reader = readerOf({ timezone, timezoneAdjustForDst: adjustForDst, timeFormat: TIME_FORMAT }, nowMs);

  const line = (await lineOf(database, report.nodeId)).reverse();
  const above = placesOf(line);
  const given = attribute('links') as readonly Link[];
  const below = shownBelow(above, template.elements, given);
  const links =
    below !== undefined
      ? (await listParametersBelow(deps, scope, { nodeRef: below, limit: MOST_BELOW })).map((node, index) => ({
          nodeId: node.nodeId,
          name: `parameter${index + 1}`,
        }))
      : given;
  const named = pictureReferences(template.elements);
  const aboveIds = Object.values(above).flatMap((id) => id ?? []);
  const references = [report.nodeId, ...aboveIds, ...links.map(({ nodeId }) => nodeId), ...named];
  const found = await viewedByReferences(database, scope, [...new Set(references)]);
  const shown = request.nowMs === undefined ? found : await asOf(deps, found, request.nowMs, signal);
  const byId = new Map(shown.map((node) => [node.nodeId, node]));
  const byCustomId = new Map(shown.map((node) => [node.customId, node]));

  const ids = [...byId.keys()];
  const [configs, locations, owner] = [
    await nodeConfigs(database, ids, names),
    await locationNames(database, ids),
    await readOwner(database, report.ownerId),
  ];
  const objectOf = (nodeId: string | undefined): Buffer => {
    const node = nodeId === undefined ? undefined : byId.get(nodeId);
    if (!node) return Buffer.alloc(0);
    const value = shownAt(node, 'current');
    const view = nodeView(node, { names, nowMs, urlOf: () => undefined });
    const object = nodeObject(view, {
      path: configs.get(node.nodeId)?.path ?? node.name,
      currentValueFormatted: value ? valueText(value, formatOf(node), reader) : '',
    });
    const { template: _template, ...rest } = object;
    const picture = pictureOf(node, caller);
    return Buffer.from(
      JSON.stringify({
        ...rest,
        locationName: locations.get(node.nodeId) ?? '',
        image: picture || isCharted(node.class) ? node.nodeId : null,
      }),
    );
  };
  return {
    nodeId: report.nodeId,
    ownerId: report.ownerId,
    name: report.name,
    accountName: owner.account_name,
    timezone,
    timezoneAdjustForDst: adjustForDst,
    template: Buffer.from(JSON.stringify(template)),
    this: objectOf(report.nodeId),
    location: objectOf(above.location),
    source: objectOf(above.source),
    workspace: objectOf(above.workspace),
    links: links.flatMap(({ nodeId, name = '' }) => {
      const node = byId.get(nodeId);
      if (!node) return [];
      return [{ name, nodeId, class: node.class, object: objectOf(nodeId), pictureNodeId: pictureOf(node, caller) }];
    }),
    pictures: named.flatMap((reference) => {
      const ref = parseNodeRef(reference);
      const node = ref && (ref.kind === 'id' ? byId.get(ref.id) : byCustomId.get(ref.customId));
      const pictureNodeId = node ? pictureOf(node, caller) : '';
      return pictureNodeId === '' ? [] : [{ reference, pictureNodeId }];
    }),
  };
}

/** Returns the nodes with the values and pictures that they had at a time. */
async function asOf(
  { database, readEdges }: { readonly database: Queryable; readonly readEdges: ReadEdges },
  nodes: readonly ViewedNode[],
  nowMs: number,
  signal: AbortSignal,
): Promise<ViewedNode[]> {
  const series = nodes.filter((node) => nodeClass(node.class).family !== undefined);
  const ownerId = nodes[0]?.ownerId ?? '';
  const ids = series.map(({ nodeId }) => nodeId);
  const edges = ids.length > 0 ? await readEdges(ownerId, ids, signal, nowMs) : new Map<string, never>();
  const pictured = nodes.flatMap((node) => pictureSourceOf(node) ?? []);
  const attachments = await attachmentsUntil(database, pictured, nowMs);
  return nodes.map((node) => {
    const source = pictureSourceOf(node);
    const newestAttachmentId = source === undefined ? null : (attachments.get(source) ?? null);
    if (nodeClass(node.class).family === undefined) return { ...node, newestAttachmentId };
    const then = edges.get(node.nodeId) ?? NO_EDGES;
    const shown = shownOf({ class: node.class, config: node.config, reported: NO_REPORT }, then);
    return { ...node, edges: then, shown, newestAttachmentId };
  });
}
