import type { Node } from '../nodes/nodes.ts';
import { call, nodePath } from '../requests/call.ts';

const pathOf = (id: string) => `${nodePath(id)}/rating` as const;

/** Addresses the ratings of a node as a file (docs/reference/processing-and-ratings.md#ratings-as-csv). */
export const ratingFile = (id: string): string => `/api/v1${pathOf(id)}`;

/** The ratings of a file take the place of all that a node has. With a revision somebody else's change is not overwritten: 412. */
export const sendRatingFile = (id: string, csv: string, revision: number | undefined): Promise<Node> =>
  call('PUT', pathOf(id), { body: csv, textType: 'text/csv', ...(revision !== undefined && { ifMatch: revision }) });
