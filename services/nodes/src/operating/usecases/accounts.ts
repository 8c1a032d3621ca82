import { checkRevision } from '@catchment/access';
import type { ChangeAccountRequest, ListAccountsRequest } from '@catchment/contracts/operator';
import { notFound } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import { updateAccount } from '../../accounts/index.ts';
import { parseBody } from '../../domain/body/parse-body.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { requireOperator } from '../../people/index.ts';
import { monthOf } from '../../sending/index.ts';
import { readAccountChange } from '../domain/account-change.ts';
import { accountRevision, accountView } from '../domain/operator-views.ts';
import { readAccounts } from '../store/all-accounts-query.ts';
import type { OperatorDeps } from './deps.ts';

const MAX_ACCOUNTS = 100;
const MAX_SEARCH = 120;

/** A page of all accounts by name, and where the next one begins. @throws DomainError not_found, invalid_argument */
export async function listAccounts(deps: OperatorDeps, request: ListAccountsRequest): Promise<JsonObject> {
  await requireOperator(deps, request.sessionSha256);
  const { after, limit } = request;
  if (after !== '' && !isObjectId(after)) throw invalidAttribute('after', 'must be the _id of an account');
  if (limit < 1 || limit > MAX_ACCOUNTS)
    throw invalidAttribute('limit', `must be a whole number from 1 to ${MAX_ACCOUNTS}`);
  const search = request.search.trim().toLowerCase();
  if ([...search].length > MAX_SEARCH)
    throw invalidAttribute('search', `must be a text of at most ${MAX_SEARCH} characters`);
  const rows = await readAccounts(deps.database, { after, limit: limit + 1, search, monthMs: monthOf(deps.now()) });
  const shown = rows.slice(0, limit);
  return {
    accounts: shown.map(accountView),
    next: rows.length > limit ? (shown.at(-1)?.owner_id ?? null) : null,
  };
}

/** Changes what `catchment account update`, `disable` and `enable` change. @throws DomainError not_found, invalid_argument, changed */
export async function changeAccount(deps: OperatorDeps, request: ChangeAccountRequest): Promise<JsonObject> {
  const operator = await requireOperator(deps, request.sessionSha256);
  if (!isObjectId(request.ownerId)) throw notFound();
  const change = readAccountChange(request.ownerId, parseBody(request.body));
  const { ownerId, slug, accountName, accountType, status } = await updateAccount(deps, change, (owner) =>
    checkRevision('account', accountRevision(owner), request.ifMatch),
  );
  const { account, ...attributes } = change;
  deps.log.warn({ operator, account, attributes }, 'an account was changed by the operator');
  return { _id: ownerId, slug, accountName, accountType, status };
}
