import type { FeedPart } from '@catchment/contracts/feed';
import { partText } from '../../domain/server-sent-events.ts';

/** The bytes of a part, made once for all clients that get it. */
const known = new WeakMap<FeedPart, Buffer>();

/** Returns the bytes that a client gets: the opening of its stream, where it begins, and a part. */
export function bytesOf(part: FeedPart, opening: string): Buffer {
  if (opening !== '') return Buffer.from(opening + partText(part));
  const bytes = known.get(part) ?? Buffer.from(partText(part));
  known.set(part, bytes);
  return bytes;
}
