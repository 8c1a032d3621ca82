import type { Queryable } from '@catchment/pg';
import type { DeletedKey, OwnerRevisions } from '../../changes/index.ts';
import type { LinkPurpose } from '../domain/person-link.ts';
import type { GivenProfile, UserEntry } from '../domain/user-entry.ts';

/** Attempts in a time window. */
export type Counted = { readonly count: number; readonly windowEndsMs: number };

/** Counts attempts; all replicas count together. */
export type AttemptCounts = {
  /** Counts one more in a window that begins with its first. */
  countAttempt(on: Queryable, key: Buffer, nowMs: number, windowMs: number): Promise<Counted>;
  /** Counts several attempts at once. @returns counts by key in hexadecimal */
  countAttempts(
    on: Queryable,
    keys: readonly Buffer[],
    nowMs: number,
    windowMs: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Removes the count of an attempt that was none. */
  forgiveAttempts(on: Queryable, cleared: readonly Buffer[], lowered: readonly Buffer[]): Promise<void>;
};

export type NewLink = {
  readonly linkId: string;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly tokenSha256: Buffer;
  /** It goes to the e-mail itself, or comes from the operator of the installation: opening it proves the e-mail. */
  readonly provesEmail: boolean;
  readonly createdMs: number;
  readonly expiresMs: number;
};

/** Links by which people set a password. */
export type LinkStore = {
  /** The oldest links of a person give way. */
  insertLinks(tx: Queryable, links: readonly NewLink[]): Promise<void>;
  /** A link that is used makes all others of the person worthless. */
  deleteLinksOf(tx: Queryable, userIds: readonly string[]): Promise<void>;
};

export type NewProfile = UserEntry & { readonly userId: string };

/** Changes profiles of people, also when an e-mail is proven. */
export type ProfileStore = OwnerRevisions & {
  /**
   * Makes profiles of one account.
   * @param linkWorkspaceId the Workspace whose users get the links; null = the account does
   */
  insertProfiles(
    tx: Queryable,
    ownerId: string,
    profiles: readonly NewProfile[],
    linkWorkspaceId: string | null,
    createdMs: number,
  ): Promise<void>;
  saveProfile(tx: Queryable, userId: string, profile: GivenProfile): Promise<void>;
  /** Sets a password; the first one activates the profile. */
  savePassword(tx: Queryable, userId: string, hash: string, nowMs: number): Promise<void>;
  noteSignIn(tx: Queryable, userId: string, nowMs: number): Promise<void>;
  /** The profile becomes the person of its e-mail, and may be in any account from now on. */
  markProven(tx: Queryable, userId: string, nowMs: number): Promise<void>;
  /**
   * All that a profile has been given is the person's, and the profile is gone with its password, sessions and links.
   * @returns SHA-256 of the API keys that have another user now
   */
  mergeProfile(tx: Queryable, profileId: string, personId: string): Promise<Buffer[]>;
  /** Removes what links a profile to its accounts; dependent rows are removed with lost access. */
  removeFromAccounts(tx: Queryable, userId: string): Promise<void>;
  deleteProfile(tx: Queryable, userId: string): Promise<void>;
  /**
   * Old links of these profiles become worthless: password, sessions, links and keys are removed. Profiles that are
   * proven stay as they are.
   */
  dropClaims(tx: Queryable, userIds: readonly string[]): Promise<DeletedKey[]>;
  dropKeysOf(tx: Queryable, userIds: readonly string[]): Promise<DeletedKey[]>;
};

export type NewSession = {
  readonly userId: string;
  readonly ownerId: string | null;
  readonly createdMs: number;
  readonly expiresMs: number;
};

/** Somebody signed in this way. */
export type SignedInBy = {
  readonly way: 'password' | 'link';
  /** The gateway knows this address; empty = not known. */
  readonly clientAddress: string;
  /** The browser says this of itself; empty = nothing. */
  readonly userAgent: string;
};

export type NewSignIn = SignedInBy & {
  readonly signInId: string;
  readonly userId: string;
  readonly atMs: number;
  readonly sessionSha256: Uint8Array;
};

/** Keeps sessions of people, and how they came in. */
export type SessionStore = {
  /** The oldest sessions of a person give way. */
  insertSession(tx: Queryable, sha256: Uint8Array, session: NewSession): Promise<void>;
  touchSession(on: Queryable, sha256: Uint8Array, nowMs: number): Promise<void>;
  setSessionAccount(on: Queryable, sha256: Uint8Array, ownerId: string | null): Promise<void>;
  /** @returns whose it was; undefined when it is unknown */
  deleteSession(on: Queryable, sha256: Uint8Array): Promise<{ userId: string; email: string } | undefined>;
  /** All of a person. @param kept but this one */
  deleteSessionsOf(tx: Queryable, userId: string, kept?: Uint8Array): Promise<void>;
  /** The oldest sign-ins of a person give way. */
  insertSignIn(tx: Queryable, signIn: NewSignIn): Promise<void>;
};

/** The preferences belong to a person in an account. */
export type Whose = { readonly ownerId: string; readonly userId: string };

export type NewPreference = {
  readonly key: string;
  readonly value: string;
  /** A person may have this many keys. */
  readonly max: number;
};

/** Pages keep preferences for a person. */
export type PreferenceStore = {
  /** Keeps a value, unless the person has this many of other keys. @returns whether it was kept */
  savePreference(tx: Queryable, whose: Whose, preference: NewPreference): Promise<boolean>;
  /** @returns whether there was one */
  deletePreference(on: Queryable, whose: Whose, key: string): Promise<boolean>;
};

export type PeopleStore = AttemptCounts & LinkStore & ProfileStore & SessionStore & PreferenceStore;
