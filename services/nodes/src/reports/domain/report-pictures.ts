import { type Caller, may } from '@catchment/access';
import { parseNodeRef } from '@catchment/ids';
import { isJsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { ViewedNode } from '../../views/index.ts';

/** Nodes of these classes have a picture that is drawn. */
export const isCharted = (name: string): boolean =>
  nodeClass(name).kind === 'chart' || name.startsWith('point.Number') || name.startsWith('point.Text');

/** Returns the attachment that is the picture of a node; empty = none, or not for the caller. */
export function pictureOf(
  node: Pick<ViewedNode, 'nodeId' | 'class' | 'workspaceId' | 'newestAttachmentId'>,
  caller: Caller,
): string {
  if (!may(caller, node.workspaceId, 'ATTACHMENT_READ')) return '';
  return (nodeClass(node.class).kind === 'attachment' ? node.nodeId : node.newestAttachmentId) ?? '';
}

/** Returns sources of pictures that name a node. */
export function pictureReferences(elements: readonly unknown[]): string[] {
  const sources = elements.flatMap((element): unknown[] => {
    if (!isJsonObject(element)) return [];
    return [element.source, ...(Array.isArray(element.elements) ? pictureReferences(element.elements) : [])];
  });
  return [
    ...new Set(
      sources.filter((source): source is string => typeof source === 'string' && parseNodeRef(source) !== undefined),
    ),
  ];
}

/** Returns the attachment source that pictures of a node come from. */
export function pictureSourceOf({
  nodeId,
  class: name,
  config,
}: Pick<ViewedNode, 'nodeId' | 'class' | 'config'>): string | undefined {
  const { kind } = nodeClass(name);
  if (kind === 'attachmentSource') return nodeId;
  return kind === 'location' && typeof config.imageSourceId === 'string' ? config.imageSourceId : undefined;
}
