import type { FileLinks, FileVariant } from '@catchment/file-links';
import { type Caller, may } from '@catchment/grpc';
import type { JsonObject } from '../../body/domain/rule.ts';
import type { StoredNode } from '../../classes/domain/node.ts';

/** What links to files are made of. */
export type FileLinking = {
  readonly links: FileLinks;
  /** What links begin with, without a slash at its end. */
  readonly baseUrl: string;
};

/** The link to a node's file; undefined = the caller may not have it. */
export type FileUrl = (node: Pick<StoredNode, 'nodeId' | 'workspaceId'>, variant: FileVariant) => string | undefined;

/**
 * Links as a caller gets them (docs/reference/attachments.md#file-links): none without ATTACHMENT_READ.
 * @param expiryMinutes 0 = they hold for ever
 */
export function fileUrlFor(
  { links, baseUrl }: FileLinking,
  caller: Caller,
  expiryMinutes: number,
  nowMs: number,
): FileUrl {
  const expiresMs = expiryMinutes === 0 ? undefined : nowMs + expiryMinutes * 60_000;
  return ({ nodeId, workspaceId }, variant) =>
    may(caller, workspaceId, 'ATTACHMENT_READ') ? baseUrl + links.path(nodeId, variant, expiresMs) : undefined;
}

/** What an Attachment shows of its file (docs/reference/node-tree.md#attributes-of-classes); null = left out. */
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
