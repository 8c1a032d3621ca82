import { generateName, nameKey } from '../../domain/body/names.ts';
import { changedNames } from '../../domain/classes/change-settings.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { overriddenIn } from './instance-config.ts';

/** An instance is stored with what lies below its root. */
export type Instance = {
  readonly root: StoredNode;
  /** Its own nodes, the root included. */
  readonly nodes: readonly StoredNode[];
  /** These nodes under them are not of the template: made by writes or people, or roots of other instances. */
  readonly locals: readonly StoredNode[];
};

/** Says which node of an instance follows which node of the template. */
export type Match = {
  /** The key is the node of the template. */
  readonly ids: ReadonlyMap<string, string>;
  /** The instance has these nodes already. The key is the node of the template. */
  readonly current: ReadonlyMap<string, StoredNode>;
  /** The template no longer has these nodes. */
  readonly removed: readonly StoredNode[];
};

/** This node is to be stored. */
export type PlannedNode = Omit<StoredNode, 'revision'>;

export type InstancePlan = {
  /** Parents first. */
  readonly inserted: readonly PlannedNode[];
  /** These nodes change; those that stay as they are do not count. */
  readonly updated: readonly { readonly before: StoredNode; readonly after: PlannedNode; readonly changed: string[] }[];
  readonly removed: readonly StoredNode[];
};

/**
 * Finds the instance's node of each of the template's. A node that the instance lacks may be there already beside the
 * template (a parameter that a write has made): with the same class, and the same series key or name, it is taken, with
 * its data.
 * @param template depth first
 */
export function matchInstance(template: readonly StoredNode[], instance: Instance, newId: () => string): Match {
  const byTemplateNode = new Map(instance.nodes.map((node) => [node.templateNodeId, node]));
  const locals = Map.groupBy(instance.locals, ({ parentId }) => parentId);
  const ids = new Map<string, string>();
  const current = new Map<string, StoredNode>();
  const adopted = new Set<string>();
  for (const node of template) {
    const known = byTemplateNode.get(node.nodeId);
    const beside = (locals.get(ids.get(node.parentId ?? '') ?? '') ?? []).filter(({ nodeId }) => !adopted.has(nodeId));
    const found = known ?? adoptable(node, beside);
    if (found) current.set(node.nodeId, found);
    if (found && !known) adopted.add(found.nodeId);
    ids.set(node.nodeId, found?.nodeId ?? newId());
  }
  return { ids, current, removed: instance.nodes.filter((node) => !ids.has(node.templateNodeId ?? '')) };
}

function adoptable(node: StoredNode, beside: readonly StoredNode[]): StoredNode | undefined {
  // An attachment is its file: another of the same name is another.
  if (node.class === 'Attachment') return undefined;
  const fitting = beside.filter((sibling) => sibling.instanceId === null && sibling.class === node.class);
  return (
    fitting.find(({ seriesKey }) => seriesKey !== null && seriesKey === node.seriesKey) ??
    fitting.find(({ name }) => nameKey(name) === nameKey(node.name))
  );
}

type PlanDeps = {
  readonly configOf: (template: StoredNode, current: Config | undefined, nodeId: string) => Config;
  readonly nowMs: number;
};

/** Returns the steps that make an instance equal its template; none when it does. */
export function planInstance(
  template: readonly StoredNode[],
  instance: Instance,
  { ids, current, removed }: Match,
  deps: PlanDeps,
): InstancePlan {
  const { root } = instance;
  const kept = new Set([...current.values()].map(({ nodeId }) => nodeId));
  const beside = Map.groupBy(
    instance.locals.filter(({ nodeId }) => !kept.has(nodeId)),
    ({ parentId }) => parentId,
  );
  const siblings = Map.groupBy(template, ({ parentId }) => parentId);
  const inserted: PlannedNode[] = [];
  const updated: { before: StoredNode; after: PlannedNode; changed: string[] }[] = [];
  for (const node of template) {
    const before = current.get(node.nodeId);
    const nodeId = ids.get(node.nodeId)!;
    const isRoot = nodeId === root.nodeId;
    const parentId = isRoot ? root.parentId : ids.get(node.parentId ?? '')!;
    const place = {
      siblings: (siblings.get(node.parentId) ?? []).filter((sibling) => sibling !== node),
      beside: beside.get(parentId) ?? [],
    };
    const after: PlannedNode = {
      nodeId,
      ownerId: root.ownerId,
      workspaceId: root.workspaceId,
      parentId,
      class: node.class,
      name: isRoot ? root.name : nameIn(node, place),
      customId: before?.customId ?? null,
      publicId: before?.publicId ?? null,
      seriesKey: isRoot ? root.seriesKey : seriesKeyIn(node, before, place),
      isActive: before?.isActive ?? node.isActive,
      createdMs: before?.createdMs ?? deps.nowMs,
      config: deps.configOf(node, before?.config, nodeId),
      templateNodeId: node.nodeId,
      instanceId: root.nodeId,
    };
    if (!before) inserted.push(after);
    else if (isChanged(before, after)) updated.push({ before, after, changed: changesOf(before, after) });
  }
  return { inserted, updated, removed };
}

type Place = {
  /** Siblings of the template's node. */
  readonly siblings: readonly StoredNode[];
  /** The parent has these other nodes in the instance. */
  readonly beside: readonly StoredNode[];
};

/** Returns the template's name, unless something else has it in the instance. */
function nameIn(node: StoredNode, { siblings, beside }: Place): string {
  const taken = new Set(beside.map(({ name }) => nameKey(name)));
  if (!taken.has(nameKey(node.name))) return node.name;
  return generateName(node.name, new Set([...taken, ...siblings.map(({ name }) => nameKey(name))]));
}

/**
 * Returns the template's key; where it has none, the one that a write has given (docs/reference/writing.md#data-source-writes).
 * Never one that is taken.
 */
function seriesKeyIn(node: StoredNode, before: StoredNode | undefined, { siblings, beside }: Place) {
  const isOverridden = before !== undefined && overriddenIn(node).has('series');
  const wanted = isOverridden ? before.seriesKey : (node.seriesKey ?? before?.seriesKey ?? null);
  if (wanted === null || beside.some(({ seriesKey }) => seriesKey === wanted)) return null;
  const isOfAnother = siblings.some((sibling) => sibling.seriesKey === wanted && !overriddenIn(sibling).has('series'));
  return wanted !== node.seriesKey && isOfAnother ? null : wanted;
}

const changesOf = (before: StoredNode, after: PlannedNode): string[] => [
  ...changedNames(nodeClass(before.class), before, after),
  ...(before.parentId === after.parentId ? [] : ['parentId']),
];

const isChanged = (before: StoredNode, after: PlannedNode): boolean =>
  before.templateNodeId !== after.templateNodeId || changesOf(before, after).length > 0;
