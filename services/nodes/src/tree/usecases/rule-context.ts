import type { Scope } from '@catchment/access';
import { newObjectId, parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { Category } from '../../changes/index.ts';
import type { FoundNode, JsonObject, RuleContext } from '../../domain/body/rule.ts';
import { type Config, displayTypeOf } from '../../domain/classes/node.ts';
import { type NodeClass, overridableNames } from '../../domain/classes/node-class.ts';
import { referencesIn } from '../../domain/classes/references.ts';
import { templatesRootOf } from '../../templates/index.ts';
import { nodesByRefs } from '../store/tree-query.ts';

/** A body is about this node; it has no id while it is made, and no workspace while that is made. */
export type Subject = {
  readonly cls: NodeClass;
  readonly nodeId?: string;
  readonly workspaceId: string | undefined;
  readonly config: Config;
};

/** Reads the facts of the account that the rules of a body need; nodes outside the caller's workspaces are unknown to them. */
export async function ruleContext(
  tx: Queryable,
  scope: Scope,
  categories: readonly Category[],
  subject: Subject,
  body: JsonObject,
): Promise<RuleContext> {
  const { cls, nodeId, workspaceId, config } = subject;
  const references = [...referencesIn(cls, body)];
  const kept = referencesIn(cls, config);
  const found = new Map<string, FoundNode>();
  for (const node of await nodesByRefs(tx, scope, references)) {
    const known = {
      nodeId: node.nodeId,
      class: node.class,
      workspaceId: node.workspaceId,
      name: node.name,
      displayType: displayTypeOf(node.config),
    };
    found.set(node.nodeId, known);
    if (node.customId !== null) found.set(`@${node.customId}`, known);
  }
  const isInTemplate = workspaceId !== undefined && workspaceId === (await templatesRootOf(tx, scope.ownerId));
  const ids = new Set(categories.map(({ _id }) => _id));
  return {
    hasCategory: (id) => ids.has(id),
    newId: newObjectId,
    findNode: (reference) => {
      const ref = parseNodeRef(reference);
      return ref && found.get(ref.kind === 'id' ? ref.id : `@${ref.customId}`);
    },
    isKept: (id) => kept.has(id),
    ...(isInTemplate && { template: { overridable: overridableNames(cls) } }),
    ...(nodeId !== undefined && { nodeId }),
    workspaceId,
  };
}
