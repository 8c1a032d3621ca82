import type { FeedPart } from '@catchment/contracts/feed';

/** The reason why a stream ends, with what its client is to do (docs/reference/events.md#end-of-a-stream). */
export type EndReason = { readonly reason: string; readonly message: string };

export const RESTARTING: EndReason = {
  reason: 'STOPPING',
  message: 'The server restarts: connect again, the stream goes on where it was',
};
export const TOO_SLOW: EndReason = {
  reason: 'CLIENT_TOO_SLOW',
  message: 'The client did not take what it was sent: connect again, the stream goes on where it was',
};

/** Clients that were disconnected together come back spread over these times. */
const RETRY_MS = 1_000;
const RETRY_SPREAD_MS = 4_000;

/** The beginning of a stream. */
export const openingText = (cursor: string): string => `retry: ${RETRY_MS}\n${cursor === '' ? '' : idLine(cursor)}\n`;

/** Returns the messages of a part; the `cursor` of the part is sent where the last message has none. */
export function partText({ messages, cursor }: FeedPart): string {
  const texts = messages.map(
    ({ event, cursor: id, data }) =>
      `${event === '' ? '' : `event: ${event}\n`}${id === '' ? '' : idLine(id)}data: ${Buffer.from(data).toString()}\n\n`,
  );
  return texts.join('') + (texts.length > 0 && messages.at(-1)?.cursor === '' ? `${idLine(cursor)}\n` : '');
}

/** Writes a message with a JSON document. */
export const messageText = (event: string, data: unknown): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/** Writes a comment, by which client and proxies see that the connection lives; with it the place in the stream where that has changed. */
export const heartbeatText = (cursor: string | undefined): string =>
  `: heartbeat\n${cursor === undefined ? '' : idLine(cursor)}\n`;

/** Writes the last message of a stream. @param random 0 to 1 */
export const endText = (why: EndReason, random: number): string =>
  `event: end\nretry: ${Math.round(RETRY_MS + random * RETRY_SPREAD_MS)}\ndata: ${JSON.stringify(why)}\n\n`;

const idLine = (cursor: string): string => `id: ${cursor}\n`;
