import { type ApiCaller, checkModify, scopeOf } from '@catchment/access';
import { newPublicId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { lockOwner } from '../../changes/index.ts';
import { newPushKey } from '../../copies/index.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { changeSettings } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { announceUpdated, namingUnique, saveSettings } from '../../nodes/index.ts';
import {
  changeOverrides,
  checkUnlocked,
  findCurrent,
  followAgain,
  propagateNow,
  type TemplateDeps,
  templateChanged,
} from '../../templates/index.ts';
import { type ViewedNode, viewedNode } from '../../views/index.ts';
import { isFedBy } from '../store/pg-tree.ts';
import { checkDevice } from './check-device.ts';
import { checkMayUpdate } from './may-update.ts';
import { ruleContext } from './rule-context.ts';

/**
 * Changes what the body gives, all of it or nothing. Changes of one account come one after the other, so two bodies with
 * different attributes of one node both end up stored. Instances follow a node of their template.
 */
export async function updateNode(
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<ViewedNode> {
  checkModify(caller);
  const nowMs = deps.now();
  const cause = { timeMs: nowMs, username: caller.username };
  let isDue = false;
  const updated = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      const owner = await lockOwner(tx, caller.ownerId);
      const node = await findCurrent(tx, deps, scopeOf(caller), nodeRef, nowMs);
      const cls = nodeClass(node.class);
      const context = await ruleContext(tx, scopeOf(caller), owner.categories, { ...node, cls }, body);
      const change = { names: deps.names, context, newPublicId, newPushKey, nowMs };
      const { settings, changed } = changeSettings(cls, node, body, change);
      checkMayUpdate(caller, node.workspaceId, changed);
      if (changed.length > 0) {
        const after = await withOverrides(tx, node, { ...node, ...settings });
        if (node.instanceId !== null) await checkUnlocked(tx, node, changed);
        if (changed.includes('transport')) await checkDevice(tx, { ...node, config: settings.config });
        if (changed.includes('rating')) await checkRatingInput(tx, node.nodeId, settings.config);
        await saveSettings(tx, node.nodeId, after);
        await announceUpdated(tx, deps, [{ before: node, after, changed }], cause);
        isDue = await templateChanged(tx, node, cause);
        if (node.instanceId !== null && changed.includes('transport'))
          await followAgain(tx, deps, node.instanceId, cause);
      }
      return viewedNode(tx, node.nodeId);
    }),
  );
  if (isDue) await propagateNow(deps, caller.ownerId);
  return updated;
}

async function withOverrides(tx: Queryable, before: StoredNode, after: StoredNode): Promise<StoredNode> {
  if (!before.config.overrides && !after.config.overrides) return after;
  return { ...after, config: await changeOverrides(tx, before, after) };
}

/**
 * A rating never feeds itself, however long the way (docs/reference/processing-and-ratings.md#ratings).
 * @throws DomainError invalid_argument
 */
async function checkRatingInput(tx: Queryable, nodeId: string, config: Config): Promise<void> {
  const input = (config.rating as { inputNodeId?: string } | undefined)?.inputNodeId;
  if (input !== undefined && (await isFedBy(tx, nodeId, input)))
    throw invalidAttribute('rating.inputNodeId', 'must not depend on this parameter itself');
}
