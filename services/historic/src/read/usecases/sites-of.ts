import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { inParallel } from '@catchment/fair-queue';
import type { Site } from '../../formats/index.ts';
import { edgesOf } from '../../records/index.ts';
import { isSeries, keyOf, type SeriesNode } from '../../series/index.ts';
import { type ReadCall, type ReadDeps, requesterOf } from './read-deps.ts';

/** The coordinates of this many Locations are read at a time. */
const AT_ONCE = 4;

/**
 * Returns the site of each series: the Location above its node, or the Workspace where there is none; what the caller may not see ends the
 * way.
 */
export async function sitesOf(
  deps: Pick<ReadDeps, 'catalogue' | 'reader'>,
  nodes: readonly SeriesNode[],
  call: ReadCall,
): Promise<Site[]> {
  const above = await locationsOf(deps, nodes, call);
  const distinct = [...new Map(above.map((node) => [node.nodeId, node])).values()];
  const sites = await inParallel(distinct, { atOnce: AT_ONCE, signal: call.signal }, (node, signal) =>
    siteOf(deps, node, signal),
  );
  const byId = new Map(sites.map((site) => [site.nodeId, site]));
  return above.flatMap(({ nodeId }) => byId.get(nodeId) ?? []);
}

async function locationsOf(
  { catalogue }: Pick<ReadDeps, 'catalogue'>,
  nodes: readonly NodeConfig[],
  call: ReadCall,
): Promise<NodeConfig[]> {
  const requester = requesterOf(call, nodes[0]?.ownerId);
  let found = [...nodes];
  for (;;) {
    const parents = [...new Set(found.flatMap((node) => (isPlace(node) ? [] : [node.parentId])))];
    if (parents.length === 0) return found;
    const known = new Map<string, NodeConfig>();
    for (const parentId of parents) {
      const parent = await catalogue.resolve(parentId, requester).catch((error: unknown) => {
        if (error instanceof DomainError && (error.kind === 'not_found' || error.kind === 'permission_denied')) return;
        throw error;
      });
      if (parent) known.set(parentId, parent);
    }
    if (known.size === 0) return found;
    found = found.map((node) => (isPlace(node) ? node : (known.get(node.parentId) ?? { ...node, parentId: '' })));
  }
}

const isPlace = (node: NodeConfig): boolean => node.class.startsWith('location.') || node.parentId === '';

async function siteOf({ reader }: Pick<ReadDeps, 'reader'>, node: NodeConfig, signal: AbortSignal): Promise<Site> {
  const { nodeId, name, customId } = node;
  const isLocation = node.class === 'location.Location' && isSeries(node);
  const { newest } = isLocation ? await edgesOf(reader, keyOf(node), { count: 1 }, signal) : { newest: [] };
  const value = newest[0]?.value;
  const place = value?.$case === 'coordinates' ? value.value : undefined;
  return { nodeId, name, customId, ...(place && { coordinates: place }) };
}
