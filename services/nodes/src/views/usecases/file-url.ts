import { type Caller, may } from '@catchment/access';
import type { FileLinks } from '@catchment/file-links';
import type { FileUrl } from '../domain/file-view.ts';

/** Dependencies of links to files. */
export type FileLinking = {
  readonly links: FileLinks;
  /** Links begin with this, without a slash at its end. */
  readonly baseUrl: string;
};

/**
 * Makes links as a caller gets them (docs/reference/attachments.md#file-links): none without ATTACHMENT_READ.
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
