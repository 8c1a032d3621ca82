import type { JsonObject } from '../../domain/body/rule.ts';
import type { StoredNode } from '../../domain/classes/node.ts';

/** The link to a node's file; undefined = the caller may not have it. */
export type FileUrl = (
  node: Pick<StoredNode, 'nodeId' | 'workspaceId'>,
  variant: 'file' | 'preview',
) => string | undefined;

/** What `fileView` shows has these JSON Schemas. */
export const FILE_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  fileName: { type: 'string', description: 'As it was uploaded. Read-only.', 'x-extension': true },
  fileSize: { type: 'integer', description: 'Bytes. Read-only.' },
  fileUrl: {
    type: 'string',
    description: 'A signed link that needs no key; see `expiry`. Only with ATTACHMENT_READ.',
  },
  filePreviewUrl: {
    type: 'string',
    description: 'Of a picture or a PDF: the same for a JPEG of at most 480 px.',
  },
  mimeType: { type: 'string', description: 'Of its bytes, then of its name. Read-only.', examples: ['image/png'] },
};

/** Returns the file's attributes of an Attachment (docs/reference/node-tree.md#attributes-of-classes); null = left out. */
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
