import {
  type Fields,
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  NO_CONTEXT,
  readObject,
} from '../../domain/body/rule.ts';
import { readEmail } from '../../domain/body/texts.ts';

/** One list of people has at most this many entries: far above any account, and little enough for one statement. */
export const MAX_USERS_PER_LIST = 1_000;

/**
 * Administrators or a group name this person; attributes besides the e-mail count only for a new profile
 * (docs/reference/people-and-security.md#people).
 */
export type UserEntry = {
  /** Lower-case. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  /** The value null stands for the time zone of the account's owner. */
  readonly timezone: string | null;
  readonly timezoneAdjustForDst: boolean;
  readonly timeFormat: string;
};

/** A person, or an account, gives this profile. */
export type GivenProfile = Omit<UserEntry, 'email'>;

export const DEFAULT_TIME_FORMAT = 'YYYY-MM-DD HH:mm:ss';

/** A person of whom only the e-mail is known has this profile. */
export const NEW_PROFILE: GivenProfile = {
  firstName: '',
  lastName: '',
  phone: null,
  timezone: null,
  timezoneAdjustForDst: true,
  timeFormat: DEFAULT_TIME_FORMAT,
};

const NAME: Fields = { first: { rule: { kind: 'text', max: 60 } }, last: { rule: { kind: 'text', max: 60 } } };
export const PROFILE: Fields = {
  name: { rule: { kind: 'object', fields: NAME } },
  phone: {
    rule: { kind: 'text', max: 16, pattern: /^\+\d{7,15}$/, rule: 'must be + and 7 to 15 digits' },
  },
  timezone: { rule: { kind: 'zone' } },
  timezoneAdjustForDst: { rule: { kind: 'boolean' } },
  timeFormat: { rule: { kind: 'text', min: 1, max: 60 } },
};

type Given = {
  name?: { first?: string; last?: string };
  phone?: string;
  timezone?: string;
  timezoneAdjustForDst?: boolean;
  timeFormat?: string;
};

/**
 * Reads a list of people, those named twice once.
 * @param at name of the list for refusals, for example `groups[0].users`
 * @throws DomainError invalid_argument naming the entry's attribute
 */
export function readUserEntries(value: unknown, at: string): UserEntry[] {
  if (!Array.isArray(value)) throw invalidAttribute(at, 'must be an array');
  if (value.length > MAX_USERS_PER_LIST) throw invalidAttribute(at, `must have at most ${MAX_USERS_PER_LIST} entries`);
  const byEmail = new Map<string, UserEntry>();
  for (const [i, item] of value.entries()) {
    const entry = readUserEntry(item, `${at}[${i}]`);
    if (!byEmail.has(entry.email)) byEmail.set(entry.email, entry);
  }
  return [...byEmail.values()];
}

export function readUserEntry(value: unknown, at: string): UserEntry {
  if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object with user');
  return { email: readEmail(value.user, `${at}.user`), ...readProfile(value, at) };
}

/**
 * Returns a stored profile as a body changes it: what is absent stays, null is as if it had never been given.
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeProfile(stored: GivenProfile, body: JsonObject): GivenProfile {
  const given = readProfile(body, '');
  const pick = <Name extends keyof GivenProfile>(name: Name, attribute: string = name): GivenProfile[Name] =>
    body[attribute] === undefined ? stored[name] : given[name];
  const name = (isJsonObject(body.name) ? body.name : {}) as JsonObject;
  const part = (stored: string, givenPart: string, value: unknown) =>
    body.name === undefined || (body.name !== null && value === undefined) ? stored : givenPart;
  return {
    firstName: part(stored.firstName, given.firstName, name.first),
    lastName: part(stored.lastName, given.lastName, name.last),
    phone: pick('phone'),
    timezone: pick('timezone'),
    timezoneAdjustForDst: pick('timezoneAdjustForDst'),
    timeFormat: pick('timeFormat'),
  };
}

/** Returns the attributes of a profile; absent ones get their defaults. @throws DomainError invalid_argument naming the attribute */
export function readProfile(value: JsonObject, at: string): GivenProfile {
  const given = readObject(PROFILE, value, at, NO_CONTEXT) as Given;
  return {
    firstName: given.name?.first?.trim() ?? '',
    lastName: given.name?.last?.trim() ?? '',
    phone: given.phone ?? null,
    timezone: given.timezone ?? null,
    timezoneAdjustForDst: given.timezoneAdjustForDst ?? true,
    timeFormat: given.timeFormat ?? DEFAULT_TIME_FORMAT,
  };
}
