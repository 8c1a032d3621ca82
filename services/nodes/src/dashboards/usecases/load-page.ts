import { type ApiCaller, checkPermission, may, type Scope, scopeOf } from '@catchment/access';
import type { PageRef } from '@catchment/contracts/pages';
import { notFound } from '@catchment/errors';
import { hasExpressions } from '@catchment/expressions';
import { PAGE, readArguments } from '@catchment/query';
import { effectiveZone } from '@catchment/time';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { lineOf, nodeConfigs } from '../../nodes/index.ts';
import { draftNode } from '../../tree/index.ts';
import { getNode, type SharedViews, type ViewDeps, type ViewedNode, viewedInWorkspace } from '../../views/index.ts';
import { furtherIds, type PageContent } from '../domain/page-content.ts';
import { type TileSpec, tilesOf } from '../domain/page-spec.ts';
import { type PageAccount, pageAccount } from '../store/pages-query.ts';

export type PageDeps = ViewDeps & { readonly shared: SharedViews };

export type LoadedPage = PageContent & {
  readonly account: PageAccount;
  readonly timezone: string;
  readonly adjustForDst: boolean;
};

/**
 * Loads a page with all nodes that its tiles show: one query for those that they link to, and one for what those refer to.
 * @param only the tile that is asked for; absent = all
 * @throws DomainError not_found, permission_denied, invalid_argument
 */
export async function loadPage(
  deps: PageDeps,
  caller: ApiCaller,
  { kind, nodeRef, arguments: given, accountSlug, draft }: PageRef,
  only?: string,
): Promise<LoadedPage> {
  const scope = scopeOf(caller);
  const asked = readArguments(PAGE, given);
  const page = await draftNode(deps, caller, await getNode(deps, scope, nodeRef), draft);
  const { workspaceId, ownerId } = page;
  checkPermission(caller, workspaceId, 'VIEW');
  const all = tilesOf(kind, page);
  const tiles = only === undefined ? all : all.filter(({ _id }) => _id === only);
  if (only !== undefined && tiles.length === 0) throw notFound();
  const nowMs = deps.now();
  const account = await pageAccount(deps.database, ownerId, caller.userId);
  if (!account || (accountSlug !== '' && accountSlug !== account.slug)) throw notFound();
  const timezone = asked.timezone || account.timezone;
  const adjustForDst = Object.hasOwn(given, 'timezoneAdjustForDst')
    ? asked.timezoneAdjustForDst
    : account.timezoneAdjustForDst;
  const zone = effectiveZone(timezone, adjustForDst, nowMs);
  return {
    page,
    tiles,
    ...(await nodesOf(deps, scope, page, tiles)),
    account,
    timezone,
    adjustForDst,
    reader: { zone, timeFormat: account.timeFormat },
    names: deps.names,
    nowMs,
    mayReadFiles: may(caller, workspaceId, 'ATTACHMENT_READ'),
    mayAcknowledge: caller.permission === 'MODIFY' && may(caller, workspaceId, 'ACKNOWLEDGE_ALARMS'),
    mayControl: caller.permission === 'MODIFY' && may(caller, workspaceId, 'CONTROL'),
  };
}

async function nodesOf(
  { database, names }: PageDeps,
  scope: Scope,
  page: ViewedNode,
  tiles: readonly TileSpec[],
): Promise<Pick<PageContent, 'nodes' | 'texts'>> {
  const { workspaceId, nodeId } = page;
  const hasTexts = tiles.some(({ config }) => typeof config.content === 'string' && hasExpressions(config.content));
  const hasMap = tiles.some(({ type }) => type === 'LOCATION_MAP');
  const line = hasTexts ? await lineOf(database, nodeId) : [];
  const locationId = line.findLast((ancestor) => nodeClass(ancestor.class).kind === 'location')?.nodeId;
  const above = [...(hasTexts || hasMap ? [workspaceId] : []), ...(locationId === undefined ? [] : [locationId])];
  const linkedIds = tiles.flatMap(({ links }) => links.map((link) => link.nodeId));
  const linked = await viewedInWorkspace(database, scope, workspaceId, [...new Set([...linkedIds, ...above])]);
  const workspace = linked.get(workspaceId);
  const missing = [...furtherIds(linked.values(), hasMap ? workspace : undefined)].filter((id) => !linked.has(id));
  const further = await viewedInWorkspace(database, scope, workspaceId, missing);
  const configs = hasTexts ? await nodeConfigs(database, [nodeId, ...above], names) : new Map();
  const location = locationId === undefined ? undefined : linked.get(locationId);
  const paths = new Map([...configs].map(([id, { path }]) => [id, path]));
  return { nodes: new Map([...linked, ...further]), texts: { page, location, workspace, paths } };
}
