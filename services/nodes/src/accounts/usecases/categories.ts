import { type AccountChange, type Category, type Collection, readOwner } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { announceUpdated, saveSettings } from '../../nodes/index.ts';
import { deletePreferencesOf } from '../../notifications/index.ts';
import { changeCategories, removeCategory, withoutCategory } from '../domain/category.ts';
import { saveOwner } from '../store/pg-accounts.ts';
import { nodesUsingCategory } from '../store/pg-category-uses.ts';

/** Notification categories of an account (docs/reference/notifications.md#subscriptions-and-preferences). */
export const CATEGORIES: Collection<Category> = {
  isSecret: false,
  list: async (on, ownerId) => (await readOwner(on, ownerId)).categories,
  idOf: ({ _id }) => _id,
  view: ({ _id, name, index }) => ({ _id, name, index }),
  create: async ({ tx, owner, logEvent }, id, body, all) => {
    const categories = changeCategories(all, id, body);
    await saveOwner(tx, owner.owner_id, { categories });
    logEvent('CONFIGURATION', `Created category '${nameOf(categories, id)}'`);
    return {};
  },
  update: async ({ tx, owner, logEvent }, { _id: id }, body, all) => {
    const categories = changeCategories(all, id, body);
    if (categories.every((one, i) => one._id === all[i]?._id && one.name === all[i]?.name)) return;
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
};

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
  for (const { after } of updated) await saveSettings(tx, after.nodeId, after);
  await announceUpdated(tx, { names }, updated, cause);
}
