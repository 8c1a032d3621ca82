import { call, nodePath } from '../requests/call.ts';

export type MessagePreview = { readonly text: string; readonly problem: string | null };

/** Returns what a text with expressions says of a node now (docs/reference/notifications.md#previews). */
export const previewMessage = (
  nodeId: string,
  message: string,
  state: string,
  signal: AbortSignal,
): Promise<MessagePreview> =>
  call<MessagePreview>('POST', `${nodePath(nodeId)}/messages/preview`, {
    body: { message, ...(state !== '' && { state }) },
    signal,
  });
