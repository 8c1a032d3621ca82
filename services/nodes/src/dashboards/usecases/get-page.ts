import { type ApiCaller, scopeOf } from '@catchment/access';
import type { EventCount, GetPageRequest } from '@catchment/contracts/pages';
import type { DashboardView } from '@catchment/dashboard-view';
import { formatIsoMs } from '@catchment/time';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import { isRoot } from '../../domain/classes/node-class.ts';
import { branchIds } from '../../nodes/index.ts';
import { fileUrlFor, type ViewedNode } from '../../views/index.ts';
import { linkedNodes, type TileAddress, tileView } from '../domain/page-content.ts';
import { periodOf } from '../domain/page-spec.ts';
import { periodRange } from '../domain/tile-range.ts';
import { type LoadedPage, loadPage, type PageDeps } from './load-page.ts';

/** Links to files of a previewed tile hold this long. */
const DRAFT_FILES_MINUTES = 60;

const hasPreview = ({ config }: ViewedNode): boolean => (config.file?.previewSize ?? 0) > 0;

export type Page = {
  readonly ownerId: string;
  readonly nodeId: string;
  readonly view: DashboardView;
  readonly counts: readonly EventCount[];
};

/**
 * Returns what a page shows at the moment: displayed values and nothing else.
 * @throws DomainError not_found, permission_denied, invalid_argument
 */
export async function getPage(
  deps: PageDeps,
  caller: ApiCaller,
  { page: ref, basePath }: GetPageRequest & { readonly page: NonNullable<GetPageRequest['page']> },
): Promise<Page> {
  const loaded = await loadPage(deps, caller, ref);
  const { page, account, timezone, adjustForDst, nowMs } = loaded;
  const urlOf = fileUrlFor(deps.files, caller, DRAFT_FILES_MINUTES, nowMs);
  // A tile that is not saved has no address of its own: its files have theirs.
  const address: TileAddress = (tileId, what, file) =>
    ref.draft && file
      ? (urlOf(file, what === 'image' && hasPreview(file) ? 'preview' : 'file') ?? '')
      : `${basePath}/tiles/${tileId}/${what}`;
  return {
    ownerId: page.ownerId,
    nodeId: page.nodeId,
    view: {
      name: page.name,
      description: String(attributeOf(nodeClass(page.class), page.config, 'description') ?? ''),
      account: { name: account.accountName, logoUrl: null },
      timezone,
      adjustForDst,
      ownTimezone: account.timezone,
      generatedTime: formatIsoMs(nowMs),
      mapTiles: null,
      tiles: loaded.tiles.map((tile) => tileView(tile, loaded, address)),
    },
    counts: await countsOf(deps, caller, loaded),
  };
}

/**
 * Counts the events for tiles with alarm events: those of the node and of all below it
 * (docs/reference/dashboards-and-reports.md#tiles).
 */
async function countsOf(deps: PageDeps, caller: ApiCaller, loaded: LoadedPage): Promise<EventCount[]> {
  const counts: EventCount[] = [];
  for (const tile of loaded.tiles) {
    const [node] = tile.type === 'ALARM_SUMMARY' ? linkedNodes(tile, loaded) : [];
    if (!node) continue;
    const { nowMs, reader } = loaded;
    const { startMs, endMs } = periodRange(periodOf(tile), { nowMs, zone: reader.zone, nodes: [node] });
    const scope = scopeOf(caller);
    // Branches that are closed to the caller are not counted.
    const isWhole = isRoot(nodeClass(node.class)) && !scope.closedTo;
    const nodeIds = isWhole ? [] : await branchIds(deps.database, scope, node.nodeId);
    counts.push({ tileId: tile._id, workspaceId: isWhole ? node.nodeId : '', nodeIds, startMs, endMs });
  }
  return counts;
}
