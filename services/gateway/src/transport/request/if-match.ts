import type { RevisionMatch } from '@catchment/contracts/nodes';
import { invalid } from '@catchment/errors';

/** RFC 9110 defines validators; `W/` ones, such as those of answers, match nothing here. */
const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;
const TAGS_MAX = 20;

/**
 * Returns the revisions that a change is meant for (docs/reference/requests-and-errors.md#changes-by-revision); undefined = any.
 * @param sent the header `If-Match`
 * @throws DomainError invalid_argument
 */
export function revisionsIn(sent: string | string[] | undefined): RevisionMatch | undefined {
  const text = String(sent ?? '').trim();
  if (text === '' || text === '*') return undefined;
  const tags = text.split(',').map((tag) => TAG.exec(tag.trim()));
  if (tags.length > TAGS_MAX || tags.includes(null))
    throw invalid('INVALID_HEADER', `If-Match: must be a revision in quotes, 1 to ${TAGS_MAX} of them, or *`);
  const revisions = tags.flatMap((tag) =>
    tag && tag[1] === undefined && /^\d{1,15}$/.test(tag[2] ?? '') ? Number(tag[2]) : [],
  );
  return { revisions };
}
