import { DomainError, received } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import type { Cause } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { checkTogether } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { MAX_DEPTH, MAX_NODES_PER_ACCOUNT } from '../../domain/classes/containment.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { countNodes, lineOf } from '../../nodes/index.ts';
import { checkUsage, leastUsageOf } from '../../usage/index.ts';
import { overriddenIn } from '../domain/instance-config.ts';
import { withPushed } from '../domain/pushed.ts';
import { nodesFollowing, reachOfInstances } from '../store/template-reach-query.ts';
import { findTemplate, templatesRootOf } from '../store/templates-query.ts';
import type { InstanceStore } from './ports.ts';

/** More nodes than can be cloned make no template (docs/reference/node-tree.md#clone). */
export const MAX_TEMPLATE_NODES = 5_000;

type Place = { readonly nodeId: string; readonly workspaceId: string; readonly ownerId: string };

/** Returns the id of the template that a node is or lies in; undefined elsewhere, and of the root of all templates. */
export async function templateOf(tx: Queryable, { nodeId, workspaceId, ownerId }: Place): Promise<string | undefined> {
  if (workspaceId !== (await templatesRootOf(tx, ownerId))) return undefined;
  return (await lineOf(tx, nodeId))[1]?.nodeId;
}

/**
 * Makes the instances of a template due. Call it in the transaction of every change that touches a node of a template, and before the
 * deletion of such a node: instances follow from there on, whatever happens to this process.
 * @returns whether there are any; then the caller runs `propagateNow` after its transaction
 */
export async function templateChanged(
  { makeDue }: InstanceStore,
  tx: Queryable,
  place: Place,
  { timeMs, username }: Cause,
): Promise<boolean> {
  const templateId = await templateOf(tx, place);
  return templateId !== undefined && (await makeDue(tx, templateId, username, timeMs));
}

/**
 * Checks that all instances of a template have room for nodes added to it, or moved deeper in it.
 * @param added the new nodes' classes
 * @param depth of the deepest of them in the template: its root has 1
 * @throws DomainError invalid_argument
 */
export async function checkInstances(
  tx: Queryable,
  ownerId: string,
  templateId: string,
  added: readonly { readonly class: string }[],
  depth: number,
): Promise<void> {
  const reach = await reachOfInstances(tx, templateId);
  if (reach.size + added.length > MAX_TEMPLATE_NODES)
    throw invalidAttribute('parentId', `a template may have at most ${MAX_TEMPLATE_NODES} nodes`);
  if (reach.instances === 0) return;
  if (reach.deepestRoot + depth - 1 > MAX_DEPTH)
    throw invalidAttribute('parentId', `must not lie deeper than ${MAX_DEPTH - 1} levels in any instance`);
  const more = added.length * (reach.instances + 1) + reach.pending;
  if ((await countNodes(tx, ownerId)) + more > MAX_NODES_PER_ACCOUNT)
    throw invalidAttribute(
      'parentId',
      `an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes, with those of instances`,
    );
  await checkUsage(tx, ownerId, reach.instances * leastUsageOf(added));
}

/**
 * Returns whether what instances have of their own fits the new configuration of the template's node that they follow.
 * @throws DomainError invalid_argument
 */
async function checkOverrides(tx: Queryable, after: Pick<StoredNode, 'nodeId' | 'class' | 'config'>): Promise<void> {
  const cls = nodeClass(after.class);
  const overridden = overriddenIn(after);
  if (overridden.size === 0) return;
  for await (const following of nodesFollowing(tx, after.nodeId))
    for (const node of following) {
      const merged: Record<string, unknown> = { ...after.config };
      for (const name of overridden) merged[name] = node.config[name];
      try {
        checkTogether(cls, merged as Config);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { kind, reason } = error;
        throw received({ kind, reason, message: `${error.message}, also in the instance ${node.instanceId}` });
      }
    }
}

/**
 * Applies a change of a node's `overrides`. Without its override, `metadata` is the template's in every instance,
 * whatever it was made with.
 * @returns the configuration to be stored
 */
export async function changeOverrides(
  { clearMetadata }: InstanceStore,
  tx: Queryable,
  before: StoredNode,
  after: StoredNode,
): Promise<Config> {
  await checkOverrides(tx, after);
  if (overriddenIn(before).has('metadata') && !overriddenIn(after).has('metadata'))
    await clearMetadata(tx, after.nodeId);
  const templateId = await templateOf(tx, after);
  const template = templateId === undefined ? undefined : await findTemplate(tx, templateId);
  return template ? withPushed(before, after, template.revision + 1) : after.config;
}
