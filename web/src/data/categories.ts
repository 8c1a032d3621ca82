import { call } from './call.ts';

/** What notifications are about, as the account has named it. */
export type Category = { readonly _id: string; readonly name: string; readonly revision: number };

let asked: Promise<readonly Category[]> | undefined;

/** The categories of the account in their order, read once. */
export function categories(): Promise<readonly Category[]> {
  asked ??= call<readonly Category[]>('GET', '/owners/account/categories').catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** The same as they are now, for all pages from now on. */
export function readCategories(): Promise<readonly Category[]> {
  asked = undefined;
  return categories();
}
