import type { FeedPart } from '@catchment/contracts/feed';
import { partText } from '../../domain/server-sent-events.ts';

/** The bytes of a part, made once for all clients that get it. */
const known = new WeakMap<FeedPart, Buffer>();

/** What is sent to a client: a part, after what opens its stream. */
export function bytesOf(part: FeedPart, opening: string): Buffer {
  if (opening !== '') return Buffer.from(opening + partText(part));
  const bytes = known.get(part) ?? Buffer.from(partText(part));
  known.set(part, bytes);
  return bytes;
}
