import type { ApiCaller } from '@catchment/access';
import { notFound } from '@catchment/errors';
import { normaliseObjectId } from '@catchment/ids';
import {
  type AccountChange,
  type Category,
  type Collection,
  checkAccountLevel,
  readOwner,
  type StoreDeps,
} from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { announceUpdated, saveSettings } from '../../nodes/index.ts';
import { countPreferencesOf } from '../../notifications/index.ts';
import { changeCategories, removeCategory, usesOf, withoutCategory } from '../domain/category.ts';
import { nodesUsingCategory } from '../store/category-uses-query.ts';
import type { AccountBook, AccountParts } from './ports.ts';

/** Notification categories of accounts (docs/reference/notifications.md#subscriptions-and-preferences). */
export const categoriesBy = ({ saveOwner, deletePreferencesOf }: AccountBook & AccountParts): Collection<Category> => ({
  isSecret: false,
  list: async (on, ownerId) => (await readOwner(on, ownerId)).categories,
  idOf: ({ _id }) => _id,
  noun: 'category',
  // Others are moved, too, when one is: a place is no reason to refuse another name.
  settingsOf: ({ name }) => [name],
  view: ({ _id, name, index }) => ({ _id, name, index }),
  create: async ({ tx, owner, logEvent }, id, body, all) => {
    const categories = changeCategories(all, id, body);
    await saveOwner(tx, owner.owner_id, { categories });
    logEvent('CONFIGURATION', `Created category '${nameOf(categories, id)}'`);
    return {};
  },
  update: async ({ tx, owner, logEvent }, { _id: id }, body, all) => {
    const categories = changeCategories(all, id, body);
    if (categories.every((category, i) => category._id === all[i]?._id && category.name === all[i]?.name)) return;
    await saveOwner(tx, owner.owner_id, { categories });
    logEvent('CONFIGURATION', `Changed category '${nameOf(categories, id)}'`);
  },
  remove: async (change, category, all, { names }) => {
    const categories = removeCategory(all, category._id);
    await saveOwner(change.tx, change.owner.owner_id, { categories });
    change.logEvent('CONFIGURATION', `Deleted category '${category.name}'`);
    await deletePreferencesOf(change.tx, change.owner.owner_id, category._id);
    await forgetCategory(change, category._id, names);
  },
});

/** Nodes that an answer names. */
const MAX_NAMED = 10;

/**
 * Lists what uses a category and is lost with it (docs/reference/notifications.md#uses-of-a-category).
 * @throws DomainError permission_denied | not_found
 */
export async function getCategoryUses(
  { database }: Pick<StoreDeps, 'database'>,
  caller: ApiCaller,
  id: string,
): Promise<JsonObject> {
  checkAccountLevel(caller);
  const { categories } = await readOwner(database, caller.ownerId);
  const category = categories.find(({ _id }) => _id === normaliseObjectId(id));
  if (!category) throw notFound();
  const nodes = await nodesUsingCategory(database, caller.ownerId, category._id);
  const uses = nodes.map(({ config }) => usesOf(config, category._id));
  return {
    states: uses.reduce((sum, { states }) => sum + states, 0),
    alarms: uses.reduce((sum, { alarms }) => sum + alarms, 0),
    people: await countPreferencesOf(database, caller.ownerId, category._id),
    nodeCount: nodes.length,
    nodes: nodes.slice(0, MAX_NAMED).map(({ nodeId, name }) => ({ _id: nodeId, name })),
  };
}

const nameOf = (categories: readonly Category[], id: string): string =>
  categories.find(({ _id }) => _id === id)?.name ?? '';

/** States and alarms of the category send no notifications from now on. */
async function forgetCategory(change: AccountChange, categoryId: string, names: ClassNames): Promise<void> {
  const { tx, owner, cause } = change;
  const nodes = await nodesUsingCategory(tx, owner.owner_id, categoryId);
  const updated = nodes.map((before) => {
    const { config, changed } = withoutCategory(before.config, categoryId);
    return { before, after: { ...before, config }, changed };
  });
  for (const { before, after } of updated) await saveSettings(tx, before, after);
  await announceUpdated({ tx, deps: { names }, cause }, updated);
}
