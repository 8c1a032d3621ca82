import { revisionOf } from '@catchment/access';
import { formatIsoMs } from '@catchment/time';
import type { Owner } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import type { Person } from '../../rights/index.ts';
import type { Profile, UserGroup } from './account-people.ts';
import { readQuality } from './quality.ts';

/** Only keys of level ACCOUNT see these attributes. */
export type Restricted = {
  readonly administrators: readonly Person[];
  readonly groups: readonly UserGroup[];
  /** People activate their new profiles at these addresses; keys are user ids. */
  readonly activateUrls: ReadonlyMap<string, string>;
};

/** Makes the document of an account (docs/reference/accounts-and-usage.md#account). */
export const ownerView = (owner: Owner, restricted: Restricted | undefined, names: ClassNames): JsonObject => ({
  _class: `${names.namespace}.models.owner.Owner`,
  _id: owner.owner_id,
  accountName: owner.account_name,
  accountType: owner.account_type,
  categories: owner.categories.map(({ name, index, _id }) => ({ name, index, _id })),
  createdTime: formatIsoMs(owner.created_ms),
  quality: readQuality(owner.quality),
  slug: owner.slug,
  ...(restricted && {
    administrators: restricted.administrators.map((person) => personView(person, restricted.activateUrls)),
    groups: restricted.groups.map((group) => groupView(group, restricted.activateUrls)),
    revision: ownerRevision(owner, restricted),
  }),
});

/** Returns the revision of what `PUT /owners/account` changes. */
export const ownerRevision = (
  { account_name }: Pick<Owner, 'account_name'>,
  { administrators, groups }: Pick<Restricted, 'administrators' | 'groups'>,
): number => revisionOf([account_name, emailsOf(administrators), groups.map(groupSettings)]);

/** Returns the revision of what people set of a group: people in it may have other names. */
export const groupRevision = (group: UserGroup): number => revisionOf(groupSettings(group));

const groupSettings = ({ groupId, name, users }: UserGroup) => [groupId, name, emailsOf(users)];
const emailsOf = (people: readonly Person[]): readonly string[] => people.map(({ email }) => email);

export const groupView = (group: UserGroup, activateUrls: ReadonlyMap<string, string>): JsonObject => ({
  _id: group.groupId,
  name: group.name,
  users: group.users.map((person) => personView(person, activateUrls)),
  revision: groupRevision(group),
});

function personView(person: Person, activateUrls: ReadonlyMap<string, string>): JsonObject {
  const { userId, email, firstName, lastName, lastLoginMs } = person;
  const profileActivateUrl = activateUrls.get(userId);
  return {
    user: email,
    name: { first: firstName, last: lastName },
    ...(lastLoginMs !== null && { lastLoginTime: formatIsoMs(lastLoginMs) }),
    ...(profileActivateUrl !== undefined && { profileActivateUrl }),
  };
}

/** `GET /users/me` (docs/reference/people-and-security.md#people). */
export const profileView = (profile: Profile, names: ClassNames): JsonObject => ({
  _class: `${names.namespace}.models.user.User`,
  _id: profile.user_id,
  contact: { email: profile.email, ...(profile.phone !== null && { phone: profile.phone }) },
  createdTime: formatIsoMs(profile.created_ms),
  name: { first: profile.first_name, last: profile.last_name },
  timeFormat: profile.time_format,
  timezone: profile.timezone,
  timezoneAdjustForDst: profile.timezone_adjust_for_dst,
});
