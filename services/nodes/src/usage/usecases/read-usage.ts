import type { ApiCaller } from '@catchment/access';
import { checkAccountLevel, readOwner, type StoreDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { MAX_NODES_PER_ACCOUNT } from '../../domain/classes/containment.ts';
import { countNodes } from '../../nodes/index.ts';
import { monthOf, smsLimitOf, smsMonths, smsUsed } from '../../sending/index.ts';
import { nodeUsage, usageDocument } from '../domain/usage.ts';
import { largestSources, type NodeUse, useOfWorkspaces } from '../store/usage-of-nodes-query.ts';
import { readUse } from '../store/usage-query.ts';

const MAX_WORKSPACES = 1_000;
const MAX_SOURCES = 50;

/**
 * Returns the Workspaces and sources of the account that take most
 * (docs/reference/accounts-and-usage.md#usage-of-nodes). @throws DomainError permission_denied
 */
export async function getUsageOfNodes(
  { database }: Pick<StoreDeps, 'database'>,
  caller: ApiCaller,
): Promise<JsonObject> {
  checkAccountLevel(caller);
  const workspaces = await useOfWorkspaces(database, caller.ownerId, MAX_WORKSPACES);
  const sources = await largestSources(database, caller.ownerId, MAX_SOURCES);
  return { workspaces: workspaces.map(view), sources: sources.map(view) };
}

const view = ({ nodeId, name, workspaceId, parameters, attachmentBytes, ...counts }: NodeUse): JsonObject => {
  const { attachmentsource, small, medium, large } = counts;
  return {
    _id: nodeId,
    name,
    ...(workspaceId === null ? { sources: attachmentsource + small + medium + large } : { workspaceId }),
    parameters,
    usage: nodeUsage(counts),
    attachmentBytes,
  };
};

/**
 * Returns what nodes knows of the limits of the account (docs/reference/accounts-and-usage.md#limits-of-an-account).
 * @param sendsSms whether the installation has a gateway @throws DomainError permission_denied
 */
export async function getOwnLimits(
  { database, now, sendsSms }: Pick<StoreDeps, 'database' | 'now'> & { readonly sendsSms: boolean },
  caller: ApiCaller,
): Promise<JsonObject> {
  checkAccountLevel(caller);
  const owner = await readOwner(database, caller.ownerId);
  const { accounts, limits } = await readUse(database, caller.ownerId, monthOf(now()));
  return {
    nodes: { count: await countNodes(database, caller.ownerId), limit: MAX_NODES_PER_ACCOUNT },
    sources: usageDocument(accounts, limits).total.source,
    sms: {
      isSent: sendsSms,
      count: smsUsed(accounts),
      limit: smsLimitOf({ accountType: owner.account_type, smsLimit: owner.sms_limit }),
      months: await smsMonths(
        database,
        accounts.map(({ ownerId }) => ownerId),
      ),
    },
  };
}
