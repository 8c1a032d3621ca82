import { type ApiCaller, checkModify } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { newObjectId, normaliseObjectId } from '@catchment/ids';
import { type Collection, changeAccount, checkAccountLevel, type EntryDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';

export async function listEntries<T>(deps: EntryDeps, caller: ApiCaller, of: Collection<T>): Promise<JsonObject[]> {
  checkMayRead(caller, of);
  return (await of.list(deps.database, caller.ownerId)).map(of.view);
}

/** @throws DomainError not_found */
export async function getEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  id: string,
): Promise<JsonObject> {
  checkMayRead(caller, of);
  return of.view(find(of, await of.list(deps.database, caller.ownerId), id));
}

/** @throws DomainError permission_denied, invalid_argument naming the attribute */
export function createEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  body: JsonObject,
): Promise<JsonObject> {
  return changeAccount(deps, caller, async (change) => {
    const { tx, owner, nowMs } = change;
    const id = newObjectId(nowMs);
    const once = await of.create(change, id, body, await of.list(tx, owner.owner_id), caller);
    return { ...of.view(find(of, await of.list(tx, owner.owner_id), id)), ...once };
  });
}

/** @throws DomainError permission_denied, invalid_argument naming the attribute, not_found */
export function updateEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  id: string,
  body: JsonObject,
): Promise<JsonObject> {
  return changeAccount(deps, caller, async (change) => {
    const { tx, owner } = change;
    const all = await of.list(tx, owner.owner_id);
    await of.update(change, find(of, all, id), body, all, deps);
    return of.view(find(of, await of.list(tx, owner.owner_id), id));
  });
}

/** @throws DomainError permission_denied, not_found */
export function deleteEntry<T>(deps: EntryDeps, caller: ApiCaller, of: Collection<T>, id: string): Promise<void> {
  return changeAccount(deps, caller, async (change) => {
    const all = await of.list(change.tx, change.owner.owner_id);
    await of.remove(change, find(of, all, id), all, deps);
  });
}

function checkMayRead(caller: ApiCaller, { isSecret }: Pick<Collection<never>, 'isSecret'>): void {
  if (!isSecret) return;
  checkModify(caller);
  checkAccountLevel(caller);
}

function find<T>({ idOf }: Collection<T>, all: readonly T[], id: string): T {
  const entry = all.find((one) => idOf(one) === normaliseObjectId(id));
  if (!entry) throw notFound();
  return entry;
}
