import { call } from '../requests/call.ts';

/** A named subject of notifications. */
export type Category = { readonly _id: string; readonly name: string; readonly revision: number };

let asked: Promise<readonly Category[]> | undefined;
let known: readonly Category[] = [];

/** The categories of the account in their order, read once. */
export function categories(): Promise<readonly Category[]> {
  asked ??= call<readonly Category[]>('GET', '/owners/account/categories').then(
    (all) => {
      known = all;
      return all;
    },
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}

/** Returns the name of one, as far as they were read. */
export const categoryName = (id: string): string | undefined => known.find(({ _id }) => _id === id)?.name;

/** Reads the same as they are now, for all pages from now on. */
export function readCategories(): Promise<readonly Category[]> {
  asked = undefined;
  return categories();
}
