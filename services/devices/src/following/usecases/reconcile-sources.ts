import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Logger } from '@catchment/telemetry';
import { forgetNodes } from './forget-nodes.ts';
import type { Store } from './ports.ts';

type ReconcileDeps = {
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

/** The revisions of this many sources are looked up at a time. */
const BATCH = 1_000;

/** @returns how many sources bring data by themselves */
async function reconcileSources(deps: ReconcileDeps): Promise<number> {
  const { store } = deps;
  const listedAt = await store.storeTime();
  const existing: string[] = [];
  const onDevices: string[] = [];
  for await (const nodes of inBatches(await deps.deviceSources())) {
    // Nearly all of them are known as they are.
    const unknown = await store.unknownRevisions(
      nodes.map(({ nodeId, revision, source }) => ({ nodeId, revision, deviceKey: source?.deviceKey ?? '' })),
    );
    for (const node of nodes) {
      existing.push(node.nodeId);
      if (node.source?.deviceKey) onDevices.push(node.nodeId);
      if (unknown.has(node.nodeId)) await deps.follow(node);
    }
  }
  // A source made while the list was read has changed since, and is not among the missing ones.
  for (const { ownerId, sourceId } of await store.missingSources(listedAt, onDevices)) {
    await forgetNodes(store, ownerId, [{ nodeId: sourceId, class: '' }]);
  }
  await store.retireAcquisitions(listedAt, existing);
  await store.purgeSources();
  await store.purgeAcquisitions();
  return existing.length;
}

async function* inBatches(nodes: AsyncIterable<NodeConfig>): AsyncGenerator<NodeConfig[]> {
  let batch: NodeConfig[] = [];
  for await (const node of nodes) {
    batch.push(node);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
