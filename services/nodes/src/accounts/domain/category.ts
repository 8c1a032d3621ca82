import type { Category } from '../../changes/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { type Fields, invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';
import type { AlarmsConfig } from '../../domain/classes/alarm-config.ts';
import type { Config } from '../../domain/classes/node.ts';
import type { Pushed } from '../../templates/index.ts';

const MAX_CATEGORIES = 100;

/** A body may set these attributes of a category; an index beyond the last one is refused too. */
export const CATEGORY = {
  name: { rule: { kind: 'text', min: 1, max: 60 } },
  index: { rule: { kind: 'integer', min: 0, max: MAX_CATEGORIES - 1 } },
} as const satisfies Fields;

/**
 * Returns the account's categories with one added, renamed or moved, their indexes counted anew.
 * @param categoryId of the one that the body is about; one that is not there is added
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeCategories(categories: readonly Category[], categoryId: string, body: JsonObject): Category[] {
  const current = categories.find(({ _id }) => _id === categoryId);
  const others = categories.filter(({ _id }) => _id !== categoryId);
  if (!current && others.length >= MAX_CATEGORIES)
    throw invalidAttribute('name', `an account may have at most ${MAX_CATEGORIES} categories`);
  const name = body.name === undefined && current ? current.name : readText(CATEGORY.name.rule, body.name, 'name');
  if (others.some((other) => nameKey(other.name) === nameKey(name)))
    throw invalidAttribute('name', 'must be unique among the categories of the account, letter case aside');
  const index = body.index === undefined ? (current?.index ?? others.length) : readIndex(body.index, others.length);
  return renumber(others.toSpliced(index, 0, { _id: categoryId, name, index }));
}

/** @throws DomainError invalid_argument when it is the last one */
export function removeCategory(categories: readonly Category[], categoryId: string): Category[] {
  if (categories.length <= 1) throw invalidAttribute('id', 'must not be the last category of the account');
  return renumber(categories.filter(({ _id }) => _id !== categoryId));
}

const renumber = (categories: readonly Category[]): Category[] =>
  categories.map((category, index) => ({ ...category, index }));

function readIndex(value: unknown, last: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > last)
    throw invalidAttribute('index', `must be a whole number from 0 to ${last}`);
  return value;
}

/**
 * Returns a node's configuration without a category: states and alarms that used it no longer notify
 * (docs/reference/notifications.md#subscriptions-and-preferences).
 * @returns the new configuration and the public names of the attributes that changed; none = it was not used
 */
export function withoutCategory(config: Config, categoryId: string): { config: Config; changed: string[] } {
  const changed: string[] = [];
  let result = config;
  if (config.states?.some((state) => state.categoryId === categoryId)) {
    changed.push('states');
    const states = config.states.map((state) =>
      state.categoryId === categoryId ? { ...state, notify: 'NEVER' as const, categoryId: null } : state,
    );
    result = { ...result, states };
  }
  const types = Object.keys(config.alarms ?? {}).filter((type) => config.alarms?.[type]?.categoryId === categoryId);
  if (types.length > 0) {
    changed.push('alarms');
    result = { ...result, alarms: clearedAlarms(config.alarms ?? {}, types) };
  }
  return { config: withoutPushed(result, categoryId), changed };
}

/** Counts the states and alarms of a node that use a category. */
export function usesOf(config: Config, categoryId: string): { readonly states: number; readonly alarms: number } {
  const uses = (setting: { readonly categoryId?: unknown }) => setting.categoryId === categoryId;
  return {
    states: (config.states ?? []).filter(uses).length,
    alarms: Object.values(config.alarms ?? {}).filter(uses).length,
  };
}

/** Instances that are behind get values from `pushed` yet: those name the category no longer either. */
function withoutPushed(config: Config, categoryId: string): Config {
  const pushed = config.pushed as Pushed | undefined;
  if (!pushed) return config;
  const values = Object.entries(pushed).map(([name, { value }]) => [name, value]);
  const { config: cleaned } = withoutCategory(Object.fromEntries(values), categoryId);
  const entries = Object.entries(pushed).map(([name, push]) => [name, { ...push, value: cleaned[name] }]);
  return { ...config, pushed: Object.fromEntries(entries) };
}

/** Both attributes are stored only where they differ from their defaults, NEVER and null. */
function clearedAlarms(alarms: AlarmsConfig, types: readonly string[]): AlarmsConfig {
  const result: Record<string, JsonObject> = { ...alarms };
  for (const type of types) {
    const { notify: _notify, categoryId: _categoryId, ...rest } = alarms[type] ?? {};
    if (Object.keys(rest).length > 0) result[type] = rest;
    else delete result[type];
  }
  return result;
}
