import type { FeedPart } from '@catchment/contracts/feed';

/** A lane remembers so many subjects that were reported as gone. */
const GONE_MAX = 20_000;

/**
 * Removes messages that report once more that something is gone: subjects outside a filter change as well.
 * @param isForAll every client of the lane gets the part, so all have got the same messages
 */
export function withoutRepeated(part: FeedPart, { gone }: { readonly gone: Set<string> }, isForAll: boolean): FeedPart {
  if (!isForAll || gone.size > GONE_MAX) gone.clear();
  const messages = part.messages.filter(({ subject, isGone }) => {
    if (subject === '') return true;
    if (!isGone) gone.delete(subject);
    else if (gone.has(subject)) return false;
    else if (isForAll) gone.add(subject);
    return true;
  });
  return messages.length === part.messages.length ? part : { ...part, messages };
}
