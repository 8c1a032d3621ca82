import { call } from './call.ts';
import { type Category, readCategories } from './categories.ts';
import { checkUnchanged } from './overtaken.ts';

const address = (id: string): `/${string}` => `/owners/account/categories/${encodeURIComponent(id)}`;

export const createCategory = (name: string): Promise<Category> =>
  call('POST', '/owners/account/categories', { body: { name } });

/** @param base as it was when somebody began @throws Overtaken */
export async function renameCategory({ _id, name: before }: Category, name: string): Promise<void> {
  const now = (await readCategories()).find((one) => one._id === _id);
  await checkUnchanged(before, now?.name, 'category');
  await call('PUT', address(_id), { body: { name } });
}

export const moveCategory = (id: string, index: number): Promise<unknown> =>
  call('PUT', address(id), { body: { index } });

/** What is lost with a category. */
export type CategoryUses = {
  readonly states: number;
  readonly alarms: number;
  readonly people: number;
  readonly nodeCount: number;
  readonly nodes: readonly { readonly _id: string; readonly name: string }[];
};
export const usesOfCategory = (id: string): Promise<CategoryUses> => call('GET', `${address(id)}/uses`);

export const deleteCategory = (id: string): Promise<unknown> => call('DELETE', address(id));
