import type { Category } from '../../changes/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { NO_CONTEXT, type Rule, readValue } from '../../domain/body/rule.ts';

/**
 * A person has this preference for the alarms of one category in one workspace
 * (docs/reference/notifications.md#subscriptions-and-preferences).
 */
export type Preference = { readonly categoryId: string; readonly email: boolean; readonly sms: boolean };

/** A body gives this preference; absent attributes stay. */
export type GivenPreference = { readonly category: string; readonly email?: boolean; readonly sms?: boolean };

/** The list gives preferences by the names of categories. */
export const PREFERENCES: Rule = {
  kind: 'list',
  max: 1_000,
  item: {
    kind: 'object',
    fields: {
      category: { rule: { kind: 'text', max: 300 }, required: true },
      email: { rule: { kind: 'boolean' } },
      sms: { rule: { kind: 'boolean' } },
    },
  },
};

/** @throws DomainError invalid_argument naming the attribute */
export const readPreferences = (value: unknown, at: string): GivenPreference[] =>
  readValue(PREFERENCES, value ?? [], at, NO_CONTEXT) as GivenPreference[];

/**
 * Returns the preferences after a request, one for each category of the account in the order of their indexes: categories are found
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
  return preferencesOf(categories, stored).map((preference, i) => ({
    ...preference,
    ...changes.get(nameKey(categories[i]?.name ?? '')),
  }));
}

/** Returns a person's preferences, one for each category of the account; without a stored one neither. */
export function preferencesOf(categories: readonly Category[], stored: readonly Preference[]): Preference[] {
  const byCategory = new Map(stored.map((preference) => [preference.categoryId, preference]));
  return categories.map(({ _id }) => byCategory.get(_id) ?? { categoryId: _id, email: false, sms: false });
}
