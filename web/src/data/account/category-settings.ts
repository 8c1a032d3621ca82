import { call } from '../requests/call.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';
import { type Category, readCategories } from './categories.ts';

const address = (id: string): `/${string}` => `/owners/account/categories/${encodeURIComponent(id)}`;

export const createCategory = (name: string): Promise<Category> =>
  call('POST', '/owners/account/categories', { body: { name } });

const now = async (id: string): Promise<Category | undefined> => (await readCategories()).find(({ _id }) => _id === id);

/** @param revision of what somebody has begun with @throws Overtaken */
export const renameCategory = (id: string, revision: number, name: string): Promise<unknown> =>
  unlessOvertaken(
    () => call('PUT', address(id), { body: { name }, ifMatch: revision }),
    () => now(id),
    'category',
  );

export const moveCategory = (id: string, index: number): Promise<unknown> =>
  call('PUT', address(id), { body: { index } });

/** These uses are lost with a category. */
export type CategoryUses = {
  readonly states: number;
  readonly alarms: number;
  readonly people: number;
  readonly nodeCount: number;
  readonly nodes: readonly { readonly _id: string; readonly name: string }[];
};
export const usesOfCategory = (id: string): Promise<CategoryUses> => call('GET', `${address(id)}/uses`);

/** @throws Overtaken */
export const deleteCategory = ({ _id: id, revision }: Category): Promise<unknown> =>
  unlessOvertaken(
    () => call('DELETE', address(id), { ifMatch: revision }),
    () => now(id),
    'category',
  );
