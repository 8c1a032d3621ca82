import type { Category } from '../../changes/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, isJsonObject } from '../../domain/body/rule.ts';

/**
 * A person's preference for the alarms of one category in one workspace
 * (docs/reference/notifications.md#subscriptions-and-preferences).
 */
export type Preference = { readonly categoryId: string; readonly email: boolean; readonly sms: boolean };

/** A preference as a body gives it; absent attributes stay. */
export type GivenPreference = { readonly category: string; readonly email?: boolean; readonly sms?: boolean };

const MAX_GIVEN = 1_000;

/** A list of preferences by category name. @throws DomainError invalid_argument naming the attribute */
export function readPreferences(value: unknown, at: string): GivenPreference[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidAttribute(at, 'must be an array');
  if (value.length > MAX_GIVEN) throw invalidAttribute(at, `must have at most ${MAX_GIVEN} entries`);
  return value.map((one: unknown, i) => {
    if (!isJsonObject(one)) throw invalidAttribute(`${at}[${i}]`, 'must be an object with category');
    const { category, email, sms } = one;
    if (typeof category !== 'string') throw invalidAttribute(`${at}[${i}].category`, 'must be the name of a category');
    return {
      category,
      ...readFlag('email', email, `${at}[${i}]`),
      ...readFlag('sms', sms, `${at}[${i}]`),
    };
  });
}

function readFlag(name: 'email' | 'sms', value: unknown, at: string): { email?: boolean; sms?: boolean } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'boolean') throw invalidAttribute(`${at}.${name}`, 'must be true or false');
  return { [name]: value };
}

/**
 * The preferences after a request, one for each category of the account in the order of their indexes: categories are found
 * by name, letter case aside; unknown ones are passed over (docs/reference/notifications.md#changing-subscriptions).
 */
export function changePreferences(
  categories: readonly Category[],
  stored: readonly Preference[],
  given: readonly GivenPreference[],
): Preference[] {
  const changes = new Map<string, { email?: boolean; sms?: boolean }>();
  for (const { category, ...flags } of given)
    changes.set(nameKey(category), { ...changes.get(nameKey(category)), ...flags });
  return preferencesOf(categories, stored).map((one, i) => ({
    ...one,
    ...changes.get(nameKey(categories[i]?.name ?? '')),
  }));
}

/** A person's preferences, one for each category of the account; without a stored one neither. */
export function preferencesOf(categories: readonly Category[], stored: readonly Preference[]): Preference[] {
  const byCategory = new Map(stored.map((one) => [one.categoryId, one]));
  return categories.map(({ _id }) => byCategory.get(_id) ?? { categoryId: _id, email: false, sms: false });
}
