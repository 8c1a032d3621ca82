import { call } from '../requests/call.ts';

/** Trees and lists show a node on one line. */
type Line = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly customId?: string;
  readonly parentId?: string;
  readonly workspaceId?: string;
  readonly revision?: number;
  readonly isActive?: boolean;
  /** Sources have one. */
  readonly status?: string;
  /** Parameters have these, as they are shown. */
  readonly currentValue?: unknown;
  readonly currentTime?: string;
  readonly currentState?: string;
  readonly displayType?: string;
  readonly units?: string;
  readonly format?: string;
  readonly alarm: 'ACTIVE' | 'ACKNOWLEDGED' | null;
  /** The person may do these with it. */
  readonly permissions?: readonly string[];
};
export type Child = Line & {
  readonly childCount: number;
  readonly alarmsBelow: { readonly active: number; readonly acknowledged: number };
};

/** Lists children of a node in the order of their names, a page at a time; without a parent the Workspaces. */
export const listChildren = (
  query: { readonly parentId?: string; readonly limit?: number; readonly after?: string },
  signal?: AbortSignal,
): Promise<{ readonly nodes: readonly Child[]; readonly next?: string | null }> =>
  call('GET', '/nodes/children', { query, ...(signal && { signal }) });
