import type { Queryable } from '@catchment/pg';
import type { JsonObject, RuleContext } from '../domain/rule.ts';
import { type Category, lookUp } from '../store/pg-nodes.ts';

/** Attributes whose value names a node; looked up before the rules run, which are pure. */
const REFERENCES = ['coordinateSourceId', 'imageSourceId', 'imageAttachmentId'] as const;

/** What the rules of a body need of the account. */
export async function ruleContext(
  tx: Queryable,
  ownerId: string,
  categories: readonly Category[],
  body: JsonObject,
): Promise<RuleContext> {
  const named = new Map<string, { nodeId: string; class: string }>();
  const layers = Array.isArray(body.mapLayers) ? body.mapLayers.slice(0, 10) : [];
  const references = [
    ...REFERENCES.map((name) => body[name]),
    ...layers.map((layer: unknown) => (layer as JsonObject | null)?.attachmentId),
  ];
  for (const reference of references) {
    if (typeof reference !== 'string') continue;
    const node = await lookUp(tx, ownerId, reference);
    if (node) named.set(reference, { nodeId: node.nodeId, class: node.class });
  }
  const ids = new Set(categories.map(({ _id }) => _id));
  return { hasCategory: (id) => ids.has(id), findNode: (reference) => named.get(reference) };
}
