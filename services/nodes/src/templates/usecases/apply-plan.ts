import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import {
  type Cause,
  eventRecorded,
  movedMessage,
  nodeChanged,
  touchOwners,
  updateMessages,
} from '../../changes/index.ts';
import { isEnabled } from '../../classes/domain/node.ts';
import { announceCreated, announcePaths, insertNodes, nodeConfigs, removeBranches } from '../../nodes/index.ts';
import type { InstancePlan } from '../domain/instance-plan.ts';
import { parkNames, savePlanned } from '../store/pg-planned-nodes.ts';
import type { TemplateDeps } from './deps.ts';

/** Nodes stored and announced in one go. */
const BATCH = 500;

/** Stores what a plan says, with events and messages unless `isQuiet`. */
export async function applyPlan(
  tx: Queryable,
  deps: Pick<TemplateDeps, 'names'>,
  ownerId: string,
  { inserted, updated, removed }: InstancePlan,
  cause: Cause,
  isQuiet: boolean,
): Promise<void> {
  const moving = updated.filter(({ changed }) => changed.some((name) => ['name', 'series', 'parentId'].includes(name)));
  const movedIds = moving.filter(({ changed }) => changed.includes('parentId')).map(({ before }) => before.nodeId);
  const pathsBefore = await nodeConfigs(tx, movedIds, deps.names);
  // Names and keys may change hands among siblings; whatever gives one up does so first.
  await parkNames(tx, [...moving.map(({ before }) => before.nodeId), ...removed.map(({ nodeId }) => nodeId)]);
  for (const part of batches(inserted)) await insertNodes(tx, part);
  for (const part of batches(updated))
    await savePlanned(
      tx,
      part.map(({ after }) => after),
    );
  const goneIds = new Set(removed.map(({ nodeId }) => nodeId));
  // What was moved from under them is out of reach by now.
  await removeBranches(
    tx,
    ownerId,
    removed.filter(({ parentId }) => !goneIds.has(parentId ?? '')),
    cause,
  );
  if (isQuiet) return;
  for (const part of batches(inserted)) await announceCreated(tx, deps, ownerId, part, cause);
  for (const part of batches(updated)) await announceUpdated(tx, deps, part, pathsBefore, cause);
  for (const { after, changed } of moving)
    if (!after.class.startsWith('point.') && changed.some((name) => name === 'name' || name === 'parentId'))
      await announcePaths(tx, deps, after.nodeId, cause);
  if (updated.length > 0) await touchOwners(tx, [ownerId], 'configuration');
}

async function announceUpdated(
  tx: Queryable,
  deps: Pick<TemplateDeps, 'names'>,
  updated: InstancePlan['updated'],
  pathsBefore: ReadonlyMap<string, { readonly path: string }>,
  cause: Cause,
): Promise<void> {
  const configs = await nodeConfigs(
    tx,
    updated.map(({ after }) => after.nodeId),
    deps.names,
  );
  const messages = updated.flatMap(({ before, after, changed }): OutboxMessage[] => {
    const config = configs.get(after.nodeId);
    const others = changed.filter((name) => name !== 'parentId');
    const isAdopted = before.templateNodeId === null;
    const texts = updateMessages(isAdopted ? [...others, 'templateNodeId'] : others, before, {
      name: after.name,
      isEnabled: isEnabled(after.config),
    });
    const from = pathsBefore.get(after.nodeId);
    if (from && config) texts.push(movedMessage(from.path, config.path));
    const events = texts.map((message) =>
      eventRecorded(after.ownerId, {
        nodeId: after.nodeId,
        workspaceId: after.workspaceId,
        nodeClass: after.class,
        level: 'INFO',
        eventType: 'CONFIGURATION',
        message,
        ...cause,
      }),
    );
    return config ? [nodeChanged(config, false, cause), ...events] : events;
  });
  await appendOutbox(tx, messages);
}

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}
