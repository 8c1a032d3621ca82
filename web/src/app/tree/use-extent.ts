import { extentOf } from '../../data/nodes/changes.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import type { NodeRow } from './rows.ts';

/** Counts what lies below nodes and what shows it, while the question is read. */
export const useExtent = (rows: readonly NodeRow[]) =>
  useAsked(
    (signal) =>
      extentOf(
        rows.map(({ node, path }) => ({ id: node._id, path })),
        signal,
      ),
    [rows.map(({ path }) => path).join('\n')],
  );
