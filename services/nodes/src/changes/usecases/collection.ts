import type { ApiCaller } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import type { JsonObject } from '../../domain/body/rule.ts';
import type { AccountChange } from './change-account.ts';
import type { EntryDeps } from './deps.ts';

/** These things belong to an account: categories, roles, keys. */
export type Collection<T> = {
  /** Keys are for callers that may also change them; the others anybody may read. */
  readonly isSecret: boolean;
  readonly list: (on: Queryable, ownerId: string) => Promise<readonly T[]>;
  readonly idOf: (entry: T) => string;
  readonly view: (entry: T) => JsonObject;
  /** Messages name an entry by this. */
  readonly noun: string;
  /** Returns what people may set of an entry: other settings are another revision. */
  readonly settingsOf: (entry: T) => unknown;
  /** @returns attributes of a new entry that are shown only once, if there are any */
  readonly create: (
    change: AccountChange,
    id: string,
    body: JsonObject,
    all: readonly T[],
    caller: ApiCaller,
  ) => Promise<JsonObject>;
  readonly update: (
    change: AccountChange,
    entry: T,
    body: JsonObject,
    all: readonly T[],
    deps: EntryDeps,
  ) => Promise<void>;
  readonly remove: (change: AccountChange, entry: T, all: readonly T[], deps: EntryDeps) => Promise<void>;
};
