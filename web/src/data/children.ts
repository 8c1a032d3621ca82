import { call } from './call.ts';

/** A node as a row of the tree. */
export type Child = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly revision?: number;
  readonly childCount: number;
  readonly alarm: 'ACTIVE' | 'ACKNOWLEDGED' | null;
  readonly alarmsBelow: { readonly active: number; readonly acknowledged: number };
  readonly rights?: readonly string[];
};

/** Children of a node, in their order, a page at a time; without a parent the Workspaces. */
export const listChildren = (
  query: { readonly parentId?: string; readonly limit?: number; readonly after?: string },
  signal?: AbortSignal,
): Promise<{ readonly nodes: readonly Child[]; readonly next?: string | null }> =>
  call('GET', '/nodes/children', { query, ...(signal && { signal }) });
