import type { NodeConfig } from '@catchment/contracts/nodes';
import { type AcquiredSource, isAcquired, newAcquisition, reconfigured } from '../../schedules/index.ts';
import { acquiredSource } from '../domain/acquired-source.ts';
import type { Store, Stored } from './ports.ts';

type FollowAcquisitionDeps = {
  readonly store: Pick<Store, 'transaction'>;
  readonly now: () => number;
  /** The session of a source, if it runs here, ends. */
  readonly abandon: (sourceId: string) => void;
};

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
