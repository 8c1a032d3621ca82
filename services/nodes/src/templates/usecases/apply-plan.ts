import {
  announceCreated,
  announceUpdated,
  insertNodes,
  markDue,
  type NodeChange,
  nodeConfigs,
  removeBranches,
  type Updated,
} from '../../nodes/index.ts';
import { lockEdges, refreshShown } from '../../shown/index.ts';
import { batches } from '../../usecases/batches.ts';
import type { InstancePlan } from '../domain/instance-plan.ts';
import type { InstanceStore } from './ports.ts';

/** Stores what a plan says, with events and messages unless `isQuiet`. */
export async function applyPlan(
  store: InstanceStore,
  change: NodeChange,
  ownerId: string,
  { inserted, updated, removed }: InstancePlan,
  isQuiet: boolean,
): Promise<void> {
  const { tx, deps, cause } = change;
  const moving = updated.filter(({ changed }) => changed.some((name) => ['name', 'series', 'parentId'].includes(name)));
  const movedIds = moving.filter(({ changed }) => changed.includes('parentId')).map(({ before }) => before.nodeId);
  const pathsBefore = await nodeConfigs(tx, movedIds, deps.names);
  // Names and keys may change hands among siblings; whatever gives one up does so first.
  await store.parkNames(tx, [...moving.map(({ before }) => before.nodeId), ...removed.map(({ nodeId }) => nodeId)]);
  for (const part of batches(inserted)) await insertNodes(tx, part);
  const changedIds = updated.map(({ after }) => after.nodeId);
  // Whoever changes values locks the edges in the same order, that of their ids.
  await lockEdges(tx, changedIds);
  for (const part of batches(updated)) {
    await store.savePlanned(
      tx,
      part.map(({ after }) => after),
    );
    await markDue(tx, part);
  }
  await refreshShown(tx, changedIds);
  const goneIds = new Set(removed.map(({ nodeId }) => nodeId));
  // Nodes that were moved away from under them are out of reach by now.
  await removeBranches(
    tx,
    ownerId,
    removed.filter(({ parentId }) => !goneIds.has(parentId ?? '')),
    cause,
  );
  if (isQuiet) return;
  for (const part of batches(inserted)) await announceCreated(change, ownerId, part);
  for (const part of batches(updated)) await announceUpdated(change, part.map(withAdoption), pathsBefore);
}

/** A node that the plan takes over from the instance's own says so. */
const withAdoption = (update: InstancePlan['updated'][number]): Updated =>
  update.before.templateNodeId === null ? { ...update, changed: [...update.changed, 'templateNodeId'] } : update;
