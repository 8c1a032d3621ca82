import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import {
  accessOf,
  contactView,
  type Entry,
  NO_ACCESS,
  type WorkspaceGroup,
  type WorkspacePerson,
} from '../../rights/index.ts';

/** A person of `GET /nodes/:id/security` (docs/reference/people-and-security.md#effective-permissions). */
export function securityUserView(person: WorkspacePerson): JsonObject {
  const { role, permissions, effective } = accessOf(person);
  return {
    ...contactView(person),
    role,
    permissions,
    ...(effective.length !== permissions.length && { effectivePermissions: effective }),
    ...(person.standing === null && person.own && endView(person.own)),
  };
}

/** A group of `GET /nodes/:id/security`. */
export function securityGroupView({ name, users }: WorkspaceGroup, entry: Entry, isClosed: boolean): JsonObject {
  const isCutOff = isClosed && !entry.permissions.includes('CONFIGURE');
  return {
    group: name,
    role: isCutOff ? NO_ACCESS : entry.role,
    permissions: isCutOff ? [] : entry.permissions,
    users: users.map(({ email }) => ({ user: email })),
    ...endView(entry),
  };
}

/** Shows what an entry gives, whoever has it. */
export const entryView = (entry: Entry): JsonObject => ({
  role: entry.role,
  permissions: entry.permissions,
  ...endView(entry),
});

/** Shows a user in `added` and `updated`. @param profileActivateUrl of a profile that the request has made */
export const grantedUserView = (user: string, entry: Entry, profileActivateUrl: string | undefined): JsonObject => ({
  user,
  ...entryView(entry),
  ...(profileActivateUrl !== undefined && { profileActivateUrl }),
});

/** Shows a group in `added` and `updated`. */
export const grantedGroupView = ({ name, users }: WorkspaceGroup, entry: Entry): JsonObject => ({
  group: name,
  role: entry.role,
  permissions: entry.permissions,
  users: users.map(({ email }) => ({ user: email })),
  ...endView(entry),
});

const endView = ({ expiresMs }: Entry): JsonObject =>
  expiresMs === null ? {} : { expiryTime: formatIsoMs(expiresMs) };
