import { type ApiCaller, type Scope, scopeOf } from '@catchment/access';
import type { PathGrant } from '@catchment/contracts/programs';
import { DomainError } from '@catchment/errors';
import { isApiKey, sha256OfKey } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { readOwner, type StoreDeps } from '../../changes/index.ts';
import { authenticate } from '../../keys/index.ts';
import { closedIds } from '../../rights/index.ts';

/** A person may read this part of an account. */
export type Reader = {
  readonly ownerId: string;
  readonly sees: (node: { readonly nodeId: string; readonly workspaceId: string }) => boolean;
};

/** @param workspaceId all else of the account is out of sight */
export async function readerOf(on: Queryable, scope: Scope, workspaceId?: string): Promise<Reader> {
  const closed = new Set(await closedIds(on, scope));
  return {
    ownerId: scope.ownerId,
    sees: (node) =>
      (workspaceId === undefined || node.workspaceId === workspaceId) &&
      (scope.workspaceIds === undefined || scope.workspaceIds.includes(node.workspaceId)) &&
      !closed.has(node.nodeId),
  };
}

/**
 * Returns the readers of AUTH by their slugs, each with the rights of its key at this moment. A slug whose key is wrong, or another
 * account's, or whose account is disabled, is left out.
 */
export async function grantedReaders(deps: StoreDeps, grants: readonly PathGrant[]): Promise<Map<string, Reader[]>> {
  const readers = new Map<string, Reader[]>();
  for (const { slug, key } of grants) {
    const caller = isApiKey(key) ? await keyHolder(deps, key) : undefined;
    if (!caller || (await readOwner(deps.database, caller.ownerId)).slug !== slug) continue;
    readers.set(slug, [...(readers.get(slug) ?? []), await readerOf(deps.database, scopeOf(caller))]);
  }
  return readers;
}

async function keyHolder(deps: StoreDeps, key: string): Promise<ApiCaller | undefined> {
  try {
    const { accountStatus, ownerId, userId, username, permission, accessLevel, workspaceIds, rights } =
      await authenticate(deps, Buffer.from(sha256OfKey(key), 'hex'));
    if (accountStatus !== 'ACTIVE') return undefined;
    return {
      kind: 'api',
      ownerId,
      userId,
      username,
      permission: permission as ApiCaller['permission'],
      accessLevel: accessLevel as ApiCaller['accessLevel'],
      ...(accessLevel === 'LIMITED_WORKSPACES' && { workspaceIds }),
      ...(rights && { rights: { grants: rights.grants, ...closedAsOf(rights) } }),
    };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unauthenticated') return undefined;
    throw error;
  }
}

const closedAsOf = ({ closedAsOfMs }: { closedAsOfMs?: number | undefined }) =>
  closedAsOfMs === undefined ? {} : { closedAsOfMs };
