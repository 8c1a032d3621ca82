import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Logger } from '@catchment/telemetry';
import { forgetNodes } from './forget-nodes.ts';
import type { Store } from './ports.ts';

export type ReconcileDeps = {
  readonly store: Store;
  readonly deviceSources: () => Promise<AsyncIterable<NodeConfig>>;
  readonly follow: (node: NodeConfig) => Promise<void>;
  readonly log: Logger;
};

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/** Compares what is known of sources with the nodes service once at the start; waits for it, as long as it takes. */
export async function reconcileAtStart(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  for (let delayMs = FIRST_RETRY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
    try {
      deps.log.info({ sources: await reconcileSources(deps) }, 'sources of devices reconciled');
      return;
    } catch (err) {
      deps.log.warn({ err, delayMs }, 'sources could not be reconciled yet');
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** @returns how many sources name a device */
export async function reconcileSources(deps: ReconcileDeps): Promise<number> {
  const { store } = deps;
  const listedAt = await store.storeTime();
  const existing: string[] = [];
  for await (const node of await deps.deviceSources()) {
    existing.push(node.nodeId);
    await deps.follow(node);
  }
  // A source made while the list was read has changed since, and is not among the missing ones.
  for (const { ownerId, sourceId } of await store.missingSources(listedAt, existing)) {
    await forgetNodes(store, ownerId, [{ nodeId: sourceId, class: '' }]);
  }
  await store.purgeSources();
  return existing.length;
}
