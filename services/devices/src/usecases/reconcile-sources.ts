import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { missingSources, purgeSources } from '../store/pg-sources.ts';
import { forgetNodes } from './forget-nodes.ts';

export type ReconcileDeps = {
  readonly database: Database;
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
  const { database } = deps;
  const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const listedAt = rows[0]?.at ?? new Date(0);
  const existing: string[] = [];
  for await (const node of await deps.deviceSources()) {
    existing.push(node.nodeId);
    await deps.follow(node);
  }
  // A source made while the list was read has changed since, and is not among the missing ones.
  for (const { ownerId, sourceId } of await missingSources(database, listedAt, existing)) {
    await forgetNodes(database, ownerId, [{ nodeId: sourceId, class: '' }]);
  }
  await purgeSources(database);
  return existing.length;
}
