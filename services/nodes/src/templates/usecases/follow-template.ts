import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { branchLinks, linesOf, newPushKey, type Step, wholeBranch } from '../../copies/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { type NodeChange, removeBranches } from '../../nodes/index.ts';
import { instanceConfig } from '../domain/instance-config.ts';
import { type Instance, type InstancePlan, matchInstance, planInstance } from '../domain/instance-plan.ts';
import { asSeenFrom } from '../domain/pushed.ts';
import {
  findInstances,
  findTemplate,
  type InstanceRow,
  instanceBranches,
  type Template,
} from '../store/templates-query.ts';
import { applyPlan } from './apply-plan.ts';
import type { InstanceStore } from './ports.ts';
import { MAX_TEMPLATE_NODES } from './template-change.ts';

/**
 * Makes instances as their template is now, in the running transaction: nodes that it has more or no longer, names, places and
 * attributes (docs/reference/templates.md#instances), with their events and messages. Instances of a template that is gone are deleted.
 * @param options.quietly the copies have not been announced yet: no events, no messages
 */
export async function followTemplate(
  store: InstanceStore,
  change: NodeChange,
  template: Template,
  instances: readonly InstanceRow[],
  options: { readonly quietly?: boolean } = {},
): Promise<void> {
  const { tx, cause } = change;
  if (instances.length === 0) return;
  const ids = instances.map(({ instanceId }) => instanceId);
  const tree = await wholeBranch(tx, template.templateId, MAX_TEMPLATE_NODES);
  const branches = await instanceBranches(tx, ids);
  if (tree.length === 0) {
    const roots = ids.flatMap((id) => branches.get(id)?.find(({ nodeId }) => nodeId === id) ?? []);
    await removeBranches(tx, template.ownerId, roots, cause);
    return;
  }
  const lines = await linesOf(tx, template.ownerId, [template.templateId, ...ids]);
  const plans: InstancePlan[] = [];
  for (const row of instances)
    plans.push(await planOne(tx, { tree, row, lines, nodes: branches.get(row.instanceId) ?? [], nowMs: cause.timeMs }));
  const plan: InstancePlan = {
    inserted: plans.flatMap(({ inserted }) => inserted),
    updated: plans.flatMap(({ updated }) => updated),
    removed: plans.flatMap(({ removed }) => removed),
  };
  await applyPlan(store, change, template.ownerId, plan, options.quietly === true);
  await store.setRevision(tx, ids, template.revision);
}

type Work = {
  readonly tree: readonly StoredNode[];
  readonly row: InstanceRow;
  readonly nodes: readonly StoredNode[];
  readonly lines: ReadonlyMap<string, readonly Step[]>;
  readonly nowMs: number;
};

async function planOne(tx: Queryable, { row, nodes, lines, nowMs, ...work }: Work): Promise<InstancePlan> {
  const { instanceId, templateId, revision } = row;
  const tree = work.tree.map((node) => asSeenFrom(node, revision));
  const root = nodes.find(({ nodeId }) => nodeId === instanceId)!;
  const instance: Instance = {
    root,
    nodes: nodes.filter((node) => node.instanceId === instanceId),
    locals: nodes.filter((node) => node.instanceId !== instanceId),
  };
  const match = matchInstance(tree, instance, () => newObjectId(nowMs));
  const { relink, relinkCode } = await branchLinks(tx, tree, match.ids, {
    from: (lines.get(templateId) ?? []).slice(0, -1),
    to: (lines.get(instanceId) ?? []).slice(0, -1),
    workspaceId: root.workspaceId,
    name: root.name,
  });
  return planInstance(tree, instance, match, {
    nowMs,
    configOf: (node, current, nodeId) =>
      instanceConfig(node, current, {
        relink,
        relinkCode,
        newPushKey,
        nodeId,
        nowMs,
        ...(nodeId === instanceId && { metadata: row.metadata }),
      }),
  });
}

/** Updates what depends on an instance's own attributes after their change (a device enables its source). */
export async function followAgain(store: InstanceStore, change: NodeChange, instanceId: string): Promise<void> {
  for (const row of await findInstances(change.tx, [instanceId])) {
    const template = await findTemplate(change.tx, row.templateId);
    if (template) await followTemplate(store, change, template, [row]);
  }
}

/** Brings instances up to date with their template before they are changed themselves. @returns whether something was to do */
export async function bringUpToDate(
  store: InstanceStore,
  tx: Queryable,
  deps: NodeChange['deps'],
  instanceIds: readonly string[],
  nowMs: number,
): Promise<boolean> {
  let wasBehind = false;
  const rows = instanceIds.length === 0 ? [] : await findInstances(tx, instanceIds);
  for (const [templateId, instances] of Map.groupBy(rows, (row) => row.templateId)) {
    const template = await findTemplate(tx, templateId);
    if (!template) continue;
    const behind = instances.filter(({ revision }) => revision < template.revision);
    const cause = { timeMs: nowMs, username: template.username };
    await followTemplate(store, { tx, deps, cause }, template, behind);
    wasBehind ||= behind.length > 0;
  }
  return wasBehind;
}
