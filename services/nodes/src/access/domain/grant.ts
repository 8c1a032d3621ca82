import { DomainError } from '@catchment/errors';
import { formatIsoMs } from '@catchment/time';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { type Entry, MAX_WORKSPACES_PER_ENTRY } from '../../rights/index.ts';
import type { GivenUser } from './access-body.ts';
import { isReservedRole, type Role } from './role.ts';

/** Entries of one workspace. */
const MAX_ENTRIES_PER_WORKSPACE = 5_000;

/** A request gives this access, which is compared with the access before. */
export type Grant = { readonly entry: Entry; readonly roleId: string; readonly did: 'granted' | 'changed' | 'kept' };

/** Returns the role that is named, by its key among those of the account. @throws DomainError invalid_argument */
export function roleOf(roles: ReadonlyMap<string, Role>, { at, role }: Pick<GivenUser, 'at' | 'role'>): Role {
  if (isReservedRole(role))
    throw invalidAttribute(
      `${at}.role`,
      'must not be a reserved name (OWNER, ADMINISTRATOR, No Access) on a Workspace',
    );
  const found = roles.get(nameKey(role));
  if (!found) throw invalidAttribute(`${at}.role`, 'must be the name of a role of the account');
  return found;
}

/**
 * Returns a role over the access that there is; an end that is not given stays as it was.
 * @throws DomainError changed where the request was made of another access
 */
export function grantOf(
  { roleId, name: role, permissions }: Role,
  { at, was, expiresMs }: Pick<GivenUser, 'at' | 'was' | 'expiresMs'>,
  before: Entry | null,
): Grant {
  checkWas(at, was, before);
  const entry = { role, permissions, expiresMs: expiresMs === undefined ? (before?.expiresMs ?? null) : expiresMs };
  const isSame = before?.role === entry.role && before.expiresMs === entry.expiresMs;
  return { entry, roleId, did: before ? (isSame ? 'kept' : 'changed') : 'granted' };
}

/** Two people may set the same at once: the second one has looked at another access. */
function checkWas(at: string, was: GivenUser['was'], entry: Entry | null): void {
  if (was === undefined) return;
  const isAsGiven =
    was && entry ? nameKey(was.role) === nameKey(entry.role) && was.expiresMs === entry.expiresMs : was === entry;
  if (isAsGiven) return;
  const now = entry ? `it is ${entryText(entry)} now` : 'there is none now';
  throw new DomainError('changed', 'ACCESS_CHANGED', `${at}.was: the access has changed, ${now}`);
}

export const entryText = ({ role, expiresMs }: Entry): string =>
  `role '${role}'${expiresMs === null ? '' : ` until ${formatIsoMs(expiresMs)}`}`;

/** Returns the line of the event log; what stays as it was has none. */
export function grantMessage({ did, entry }: Grant, whom: string): string | undefined {
  if (did === 'kept') return undefined;
  return did === 'granted' ? `Granted ${whom} ${entryText(entry)}` : `Changed ${whom} to ${entryText(entry)}`;
}

/** @throws DomainError invalid_argument: there are too many after the request */
export function checkEntryCounts({
  inWorkspace,
  ofOne,
}: {
  readonly inWorkspace: number;
  readonly ofOne: number;
}): void {
  if (inWorkspace > MAX_ENTRIES_PER_WORKSPACE)
    throw invalidAttribute('users', `a Workspace may have at most ${MAX_ENTRIES_PER_WORKSPACE} users and groups`);
  if (ofOne > MAX_WORKSPACES_PER_ENTRY)
    throw invalidAttribute('users', `a user or group may be in at most ${MAX_WORKSPACES_PER_ENTRY} workspaces`);
}
