import type { NodeConfig } from '@catchment/contracts/nodes';
import { type AcquiredSource, isAcquired, newAcquisition, reconfigured } from '../../schedules/index.ts';
import type { Store, Stored } from './ports.ts';

const PROCESSOR = 'source.data.Processor';

type FollowAcquisitionDeps = {
  readonly store: Pick<Store, 'transaction'>;
  readonly now: () => number;
  /** The session of a source, if it runs here, ends. */
  readonly abandon: (sourceId: string) => void;
};

/** Returns what devices needs to know of a node; undefined: the node is no source that acquires. */
export function acquiredSource({ source, ...node }: NodeConfig): AcquiredSource | undefined {
  if (!source || node.class === PROCESSOR) return undefined;
  return {
    sourceId: node.nodeId,
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    sourceClass: node.class,
    name: node.name,
    transport: source.transportClass,
    deviceKey: source.deviceKey || null,
    isEnabled: source.isEnabled,
    scheduleType: source.scheduleType,
    schedule: { intervalMs: 1_000 * (source.intervalSeconds || 3_600), offsetMs: 1_000 * source.intervalOffsetSeconds },
    writeMode: source.writeMode,
    nodeRevision: node.revision,
  };
}

/** A source was made or changed; a message may come twice, and late. */
export async function followAcquisition(deps: FollowAcquisitionDeps, node: NodeConfig): Promise<void> {
  const source = acquiredSource(node);
  if (!source) return;
  const ended = await deps.store.transaction((tx) => takeOver(tx, source, deps.now()));
  if (ended) deps.abandon(source.sourceId);
}

/** @returns whether a session has lost its source */
export async function takeOver(tx: Stored, source: AcquiredSource, nowMs: number): Promise<boolean> {
  let known = await tx.lockAcquisition(source.sourceId);
  if (known === undefined) {
    if (!isAcquired(source) || (await tx.insertAcquisition(newAcquisition(source, nowMs)))) return false;
    known = await tx.lockAcquisition(source.sourceId);
  }
  if (known === undefined || known === 'deleted' || known.nodeRevision >= source.nodeRevision) return false;
  const now = reconfigured(known, source, nowMs);
  await tx.saveAcquisition(now, { shows: now.status !== known.status });
  return known.leaseId !== null && now.leaseId === null;
}
