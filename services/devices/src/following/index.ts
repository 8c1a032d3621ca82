import type { Bus } from '@catchment/bus';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { followNodes } from '@catchment/node-replica';
import type { Nodes } from '../sources/index.ts';
import { type FollowAlso, followNode, sourceFollower } from './bus/nodes-reader.ts';
import type { FollowDeps } from './usecases/follow-source.ts';
import { reconcileAtStart } from './usecases/reconcile-sources.ts';

type FollowingDeps = FollowDeps & FollowAlso & { readonly bus: Bus; readonly nodes: Pick<Nodes, 'deviceSources'> };

/** Follows what nodes says of sources, from the start on. */
export function openFollowing({ bus, nodes, ...deps }: FollowingDeps): { stop(): Promise<void> } {
  const reader = followNodes(bus, 'devices-nodes', sourceFollower(deps));
  const stopping = new AbortController();
  const follow = (node: NodeConfig) => followNode(deps, node);
  const reconciling = reconcileAtStart({ ...deps, deviceSources: nodes.deviceSources, follow }, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await reconciling;
      await reader.stop();
    },
  };
}
