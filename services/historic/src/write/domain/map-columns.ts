import type { NodeConfig } from '@catchment/contracts/nodes';
import { badBody, refersTo } from '../../series/index.ts';
import type { HeaderColumn, JtsDocument } from './jts-document.ts';

/** Returns the column of a write to one Location or parameter (docs/reference/writing.md#columns-of-a-write). */
export function columnOfNode(document: JtsDocument, node: NodeConfig, columnIndex: number | undefined): number {
  const named = document.columns.find(({ id }) => id !== '' && refersTo(id, node));
  if (named) return named.index;
  if (columnIndex !== undefined) return columnIndex;
  const withoutId = document.columns.filter(({ id }) => id === '');
  return withoutId.length === 1 ? (withoutId[0]?.index ?? 0) : 0;
}

/** Returns the key by which a data source's parameter is found or made (docs/reference/writing.md#data-source-writes, rule 3). */
export const keyOf = (column: HeaderColumn): string => column.series || column.name;

/** @throws DomainError invalid_argument when a data source's document has no columns, or one without id, series and name */
export function checkSourceColumns({ columns }: JtsDocument): void {
  if (columns.length === 0) throw badBody('header.columns', 'must have at least one column');
  for (const column of columns) {
    if (!column.id && !keyOf(column))
      throw badBody(`header.columns.${column.index}`, 'must have an id, series or name');
  }
}
