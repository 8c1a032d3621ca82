import type { RevisionMatch } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { StoredNode } from '../../domain/classes/node.ts';

/**
 * Returns whether a change is meant for the node as it is (docs/reference/requests-and-errors.md#changes-by-revision). It is asked
 * under the lock of the account, after the caller's rights and before what the change gives.
 * @param wanted undefined = for any
 * @throws DomainError changed, with the present revision
 */
export function checkRevision({ revision }: Pick<StoredNode, 'revision'>, wanted: RevisionMatch | undefined): void {
  if (wanted === undefined || wanted.revisions.includes(revision)) return;
  const message = `If-Match: the node has changed, its revision is ${revision} now`;
  throw new DomainError('changed', 'REVISION_CHANGED', message, { revision });
}
