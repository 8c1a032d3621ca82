import { extentOf } from '../../data/changes.ts';
import { useAsked } from '../../data/use-asked.ts';
import type { NodeRow } from './rows.ts';

/** What lies below a node and what shows it, counted while the question is read. */
export const useExtent = (row: NodeRow) =>
  useAsked((signal) => extentOf(row.node._id, row.path, signal), [row.node._id, row.path]);
