import type { DeleteAccountResponse, UpdateAccountRequest, UpdateAccountResponse } from '@catchment/contracts/owners';
import { DomainError } from '@catchment/errors';
import { appendOutbox, type Queryable } from '@catchment/pg';
import {
  accountChanged,
  changeAccountOf,
  lockOwner,
  type Owner,
  readOwner,
  type StoreDeps,
} from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';
import { keysOf } from '../../keys/index.ts';
import { countNodes, nodesById, removeBranches } from '../../nodes/index.ts';
import { ACCOUNT, ACCOUNT_TYPES } from '../domain/account.ts';
import { trialChange, trialEndMs } from '../domain/trial.ts';
import { accountIdOf, hasManagedAccounts, rootsOf } from '../store/accounts-query.ts';
import { isTrialOver } from '../store/trials-query.ts';
import type { AccountBook, OwnerChange, Trials } from './ports.ts';

/** Events from the command line name this user. */
const SYSTEM = 'System';
const STATUSES = ['ACTIVE', 'DISABLED'] as const;
/** Nodes may still be made by requests that began before the account was disabled. */
const DELETE_ROUNDS = 10;

/**
 * Changes what people cannot change themselves (docs/reference/accounts-and-usage.md#administration).
 * @param check throws where the account, which is locked, is not as the change means it
 * @throws DomainError invalid_argument
 */
export async function updateAccount(
  store: AccountBook & Trials,
  deps: StoreDeps,
  request: UpdateAccountRequest,
  check: (owner: Owner) => void = () => {},
): Promise<UpdateAccountResponse> {
  const given = readChange(request);
  const ownerId = await accountIdOf(deps.database, request.account);
  return changeAccountOf(deps, ownerId, SYSTEM, async ({ tx, owner, nowMs, logEvent, invalidateKey, send }) => {
    check(owner);
    const isManaged = owner.parent_owner_id !== null;
    if (given.account_type === 'MANAGED' && !isManaged)
      throw invalidAttribute('accountType', 'must not be MANAGED: no account manages this one');
    if (given.account_type && isManaged && given.account_type !== 'MANAGED' && given.account_type !== 'TRIAL')
      throw invalidAttribute('accountType', 'must be MANAGED or TRIAL for a managed account');
    const change = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => owner[name as keyof OwnerChange] !== value),
    );
    if (Object.keys(change).length > 0) {
      await store.saveOwner(tx, ownerId, change);
      await followTrial(store, tx, owner, { ...owner, ...change }, nowMs);
      logEvent('SECURITY', `Updated ${Object.keys(change).map(publicName).join(', ')}`);
      // Caches of keys also hold the account's status and type.
      for (const { sha256 } of await keysOf(tx, ownerId)) invalidateKey(sha256);
      if (change.status === 'ACTIVE' || change.status === 'DISABLED') send([accountChanged(ownerId, change.status)]);
    }
    const { slug, account_name, account_type, status } = await readOwner(tx, ownerId);
    return { ownerId, slug, accountName: account_name, accountType: account_type, status };
  });
}

/** The trial of an account that has become, or is no longer, one; or that is enabled once more. */
async function followTrial(
  { startTrial, endTrial }: Trials,
  tx: Queryable,
  before: Owner,
  after: Owner,
  nowMs: number,
): Promise<void> {
  const ownerId = after.owner_id;
  const change = trialChange(before, after, await isTrialOver(tx, ownerId, nowMs));
  if (change === 'begins') await startTrial(tx, ownerId, trialEndMs(nowMs));
  if (change === 'is over') await endTrial(tx, ownerId);
}

const publicName = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

const MAX_ROW_LIMIT = 100_000_000;
const MAX_DAYS = 36_500;

function readChange(request: UpdateAccountRequest): OwnerChange {
  const { accountName, accountType, status, sourceLimit, smsLimit, rowsPerSourcePerDay } = request;
  const { recordDays, eventDays } = request;
  return {
    ...(accountName !== undefined && { account_name: readText(ACCOUNT.accountName.rule, accountName, 'accountName') }),
    ...(accountType !== undefined && { account_type: readWord('accountType', accountType, ACCOUNT_TYPES) }),
    ...(status !== undefined && { status: readWord('status', status, STATUSES) }),
    ...(sourceLimit !== undefined && { source_limit: readLimit('sourceLimit', sourceLimit) }),
    ...(smsLimit !== undefined && { sms_limit: readLimit('smsLimit', smsLimit) }),
    ...(rowsPerSourcePerDay !== undefined && {
      row_limit: readWhole('rowsPerSourcePerDay', rowsPerSourcePerDay, MAX_ROW_LIMIT),
    }),
    ...(recordDays !== undefined && { record_days: readWhole('recordDays', recordDays, MAX_DAYS) }),
    ...(eventDays !== undefined && { event_days: readWhole('eventDays', eventDays, MAX_DAYS) }),
  };
}

function readWord<const T extends string>(name: string, value: string, words: readonly T[]): T {
  const word = words.find((word) => word === value.toUpperCase());
  if (word === undefined) throw invalidAttribute(name, `must be one of ${words.join(', ')}`);
  return word;
}

function readWhole(name: string, value: number, max: number): number | null {
  const limit = readLimit(name, value);
  if (limit !== null && (!Number.isInteger(limit) || limit > max))
    throw invalidAttribute(name, `must be a whole number up to ${max}`);
  return limit;
}

function readLimit(name: string, value: number): number | null {
  if (!Number.isFinite(value)) throw invalidAttribute(name, 'must be a finite number');
  return value < 0 ? null : value;
}

/**
 * Deletes an account with everything in it. It is disabled first, so that nothing new comes; the other services follow the
 * messages about its nodes. Begun again after a failure it goes on where it was.
 * @throws DomainError invalid_argument, failed_precondition while it manages other accounts
 */
export async function deleteAccount(
  store: AccountBook & Trials,
  deps: StoreDeps,
  account: string,
): Promise<DeleteAccountResponse> {
  const ownerId = await accountIdOf(deps.database, account);
  if (await hasManagedAccounts(deps.database, ownerId))
    throw new DomainError(
      'failed_precondition',
      'HAS_MANAGED_ACCOUNTS',
      'account: must not manage other accounts; delete them first',
    );
  await updateAccount(store, deps, { account: ownerId, status: 'DISABLED' });
  let nodes = 0;
  for (let round = 0; round < DELETE_ROUNDS; round += 1) {
    nodes += await countNodes(deps.database, ownerId);
    for (const nodeId of await rootsOf(deps.database, ownerId)) await deleteRoot(deps, ownerId, nodeId);
    if (await deps.database.transaction((tx) => deleteNotified(store, tx, ownerId))) return { ownerId, nodes };
  }
  throw new DomainError('conflict', 'ACCOUNT_IN_USE', 'account: is still being written to; try again');
}

/** @returns false while the account still has nodes */
async function deleteNotified({ deleteOwner }: AccountBook, tx: Queryable, ownerId: string): Promise<boolean> {
  const isGone = await deleteOwner(tx, ownerId);
  if (isGone) await appendOutbox(tx, [accountChanged(ownerId, 'DELETED')]);
  return isGone;
}

/** Deletes a Workspace or the root of the templates, with all below it. */
async function deleteRoot(deps: StoreDeps, ownerId: string, nodeId: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const nodes = await nodesById(tx, ownerId, [nodeId]);
    await removeBranches(tx, ownerId, nodes, { timeMs: deps.now(), username: SYSTEM });
  });
}
