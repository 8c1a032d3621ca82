import type { JsonObject } from '../../domain/body/rule.ts';
import type { StoredNode } from '../../domain/classes/node.ts';

/** The link to a node's file; undefined = the caller may not have it. */
export type FileUrl = (
  node: Pick<StoredNode, 'nodeId' | 'workspaceId'>,
  variant: 'file' | 'preview',
) => string | undefined;

/** The file's attributes of an Attachment (docs/reference/node-tree.md#attributes-of-classes); null = left out. */
export function fileView(node: StoredNode, urlOf: FileUrl): JsonObject {
  const { file } = node.config;
  if (!file) return {};
  return {
    fileName: file.name === '' ? null : file.name,
    fileSize: file.size,
    fileUrl: urlOf(node, 'file') ?? null,
    filePreviewUrl: (file.previewSize > 0 ? urlOf(node, 'preview') : undefined) ?? null,
    mimeType: file.mimeType,
  };
}
