import { DomainError, notFound } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { LINK_KINDS } from '../domain/page-spec.ts';
import { type PublicNode, publicNode } from '../store/pages-query.ts';

/** Public ids are made like this; the database need not be asked for anything else. */
const PUBLIC_ID = /^[a-z0-9]{15}$/;
/** The accounts of this type have no public pages (docs/reference/accounts-and-usage.md#account). */
const WITHOUT_PAGES = 'STARTER';

/**
 * Finds the node that a public link opens (docs/reference/public-pages.md#links).
 * @throws DomainError not_found, also for a link of another kind; permission_denied NOT_PUBLIC, ACCOUNT_DISABLED, NO_PUBLIC_ACCESS
 */
export async function findPublic(
  { database }: { readonly database: Queryable },
  { kind, publicId }: { readonly kind: string; readonly publicId: string },
): Promise<PublicNode> {
  const found = PUBLIC_ID.test(publicId) ? await publicNode(database, publicId) : undefined;
  if (!found || nodeClass(found.class).kind !== LINK_KINDS[kind as keyof typeof LINK_KINDS]) throw notFound();
  if (!found.isPublic)
    throw new DomainError('permission_denied', 'NOT_PUBLIC', 'Not permitted: the link is not public');
  if (found.accountStatus !== 'ACTIVE')
    throw new DomainError('permission_denied', 'ACCOUNT_DISABLED', 'Not permitted: the account is disabled');
  if (found.accountType === WITHOUT_PAGES)
    throw new DomainError('permission_denied', 'NO_PUBLIC_ACCESS', 'Not permitted: the account has no public pages');
  return found;
}
