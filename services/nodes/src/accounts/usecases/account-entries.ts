import { type ApiCaller, checkModify, checkRevision, type RevisionMatch, revisionOf } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { newObjectId, normaliseObjectId } from '@catchment/ids';
import { type Collection, changeAccount, checkAccountLevel, type EntryDeps } from '../../changes/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';

export async function listEntries<T>(deps: EntryDeps, caller: ApiCaller, of: Collection<T>): Promise<JsonObject[]> {
  checkMayRead(caller, of);
  return (await of.list(deps.database, caller.ownerId)).map((entry) => viewOf(of, entry));
}

/** @throws DomainError not_found */
export async function getEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  id: string,
): Promise<JsonObject> {
  checkMayRead(caller, of);
  return viewOf(of, find(of, await of.list(deps.database, caller.ownerId), id));
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
    return { ...viewOf(of, find(of, await of.list(tx, owner.owner_id), id)), ...once };
  });
}

/** @throws DomainError permission_denied, not_found, changed, invalid_argument naming the attribute */
export function updateEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  {
    id,
    body,
    ifMatch,
  }: { readonly id: string; readonly body: JsonObject; readonly ifMatch: RevisionMatch | undefined },
): Promise<JsonObject> {
  return changeAccount(deps, caller, async (change) => {
    const { tx, owner } = change;
    const all = await of.list(tx, owner.owner_id);
    await of.update(change, findUnchanged(of, all, id, ifMatch), body, all, deps);
    return viewOf(of, find(of, await of.list(tx, owner.owner_id), id));
  });
}

/** @throws DomainError permission_denied, not_found, changed */
export function deleteEntry<T>(
  deps: EntryDeps,
  caller: ApiCaller,
  of: Collection<T>,
  id: string,
  ifMatch: RevisionMatch | undefined,
): Promise<void> {
  return changeAccount(deps, caller, async (change) => {
    const all = await of.list(change.tx, change.owner.owner_id);
    await of.remove(change, findUnchanged(of, all, id, ifMatch), all, deps);
  });
}

function checkMayRead(caller: ApiCaller, { isSecret }: Pick<Collection<never>, 'isSecret'>): void {
  if (!isSecret) return;
  checkModify(caller);
  checkAccountLevel(caller);
}

const revisionIn = <T>({ settingsOf }: Collection<T>, entry: T): number => revisionOf(settingsOf(entry));

const viewOf = <T>(of: Collection<T>, entry: T): JsonObject => ({ ...of.view(entry), revision: revisionIn(of, entry) });

function find<T>({ idOf }: Collection<T>, all: readonly T[], id: string): T {
  const entry = all.find((entry) => idOf(entry) === normaliseObjectId(id));
  if (!entry) throw notFound();
  return entry;
}

/** @throws DomainError not_found, changed */
function findUnchanged<T>(of: Collection<T>, all: readonly T[], id: string, ifMatch: RevisionMatch | undefined): T {
  const entry = find(of, all, id);
  checkRevision(of.noun, revisionIn(of, entry), ifMatch);
  return entry;
}
