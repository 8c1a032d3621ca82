import type { Found } from '../../../data/nodes/search.ts';

/** A program stands at these names, from the Workspace down to where its paths begin, in its Workspace. */
export type Standpoint = { readonly names: readonly string[] };

/** A path cannot have these names within: they are named by their id. */
const UNNAMEABLE = /[/;'"\\{}\n]|^\.{1,2}$/;
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * Writes how a program names a node: by its name alone beside it, otherwise from the Workspace down, and by its id where a name cannot be
 * written (docs/reference/processing-and-ratings.md#paths).
 */
export function pathTo({ _id, path, name }: Pick<Found, '_id' | 'path' | 'name'>, { names: here }: Standpoint): string {
  const names = path.split('/').slice(1);
  // A name with a slash makes more names of its path than there are nodes.
  const above = names.slice(0, -1);
  if (names.at(-1) !== name || names.some((name) => name === '' || UNNAMEABLE.test(name))) return `{${_id}}`;
  const isBeside = above.length === here.length && above.every((name, i) => isSame(name, here[i]!));
  return isBeside ? name : `/${names.join('/')}`;
}

/** Finds the word to search for: the last name of a path as far as it is typed, without what makes an id of it. */
export function searchedIn(typed: string): string {
  const path = typed.split(';')[0] ?? '';
  return (path.split('/').at(-1) ?? '')
    .replace(/^\{?@?/, '')
    .replace(/\}$/, '')
    .trim();
}
