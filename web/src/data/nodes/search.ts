import { call } from '../requests/call.ts';

export type Found = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  /** Slug of the account, and names from the Workspace down. */
  readonly path: string;
  readonly customId?: string | null;
};

/** All pickers search with this: the server's search, a few at a time. */
export const searchNodes = (
  query: {
    readonly q: string;
    readonly class?: string;
    readonly workspaceId?: string;
    readonly limit?: number;
    readonly after?: string;
  },
  signal: AbortSignal,
): Promise<{ readonly nodes: readonly Found[]; readonly next?: string | null }> =>
  call('GET', '/nodes/search', { query, signal });

/** The names above a node, from the Workspace down; empty: it is one. */
export const above = ({ path }: Pick<Found, 'path'>): string => path.split('/').slice(1, -1).join(' / ');
