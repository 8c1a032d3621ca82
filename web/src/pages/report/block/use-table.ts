import { useState } from 'preact/hooks';
import type { Block, Cell } from '../../../data/pages/reports.ts';
import type { Change } from './change.ts';

/** A table has at most so many columns and rows: docs/reference/limits.md. */
export const MOST_COLUMNS = 50;
export const MOST_ROWS = 200;

const EMPTY: Cell = { content: '' };
const NEW_COLUMN = { width: 100 };

export type RowAt = 'headerRow' | 'footerRow' | number;
export type CellAt = { readonly row: RowAt; readonly column: number };
export type Table = ReturnType<typeof useTable>;

/** Holds which cell of a table is chosen, and changes its cells, rows and columns. */
export function useTable(block: Block, change: Change) {
  const { columns = [], headerRow = [], rows = [], footerRow = [] } = block;
  const [chosen, choose] = useState<CellAt>();
  const blank = () => columns.map(() => EMPTY);
  const rowOf = (row: RowAt): readonly Cell[] => (typeof row === 'number' ? (rows[row] ?? []) : (block[row] ?? []));
  const cellOf = ({ row, column }: CellAt): Cell => rowOf(row)[column] ?? EMPTY;
  const putCell = ({ row, column }: CellAt, cell: Cell) => {
    const before = rowOf(row);
    const length = Math.max(columns.length, before.length);
    const filled = Array.from({ length }, (_one, i) => (i === column ? cell : (before[i] ?? EMPTY)));
    const cells = trimmed(filled, columns.length);
    const isInner = typeof row === 'number';
    change(
      isInner ? { rows: rows.map((other, i) => (i === row ? cells : other)) } : { [row]: cells },
      `cell ${row} ${column}`,
    );
  };
  const removeColumn = () => {
    const short = (cells: readonly Cell[]) => cells.slice(0, columns.length - 1);
    choose(undefined);
    change(
      {
        columns: columns.slice(0, -1),
        headerRow: short(headerRow),
        rows: rows.map(short),
        footerRow: short(footerRow),
      },
      '',
    );
  };
  return {
    widths: columns.map(({ width = NEW_COLUMN.width }) => width),
    rowCount: rows.length,
    all: [
      ...(headerRow.length > 0 ? (['headerRow'] as const) : []),
      ...rows.keys(),
      ...(footerRow.length > 0 ? (['footerRow'] as const) : []),
    ] satisfies RowAt[],
    chosen,
    choose,
    cellOf,
    putCell,
    has: (band: 'headerRow' | 'footerRow') => (band === 'headerRow' ? headerRow : footerRow).length > 0,
    putBand: (band: 'headerRow' | 'footerRow', isWanted: boolean) => change({ [band]: isWanted ? blank() : [] }, band),
    putWidth: (column: number, width: number) =>
      change({ columns: columns.map((other, i) => (i === column ? { width } : other)) }, 'columns'),
    addRow: () => change({ rows: [...rows, blank()] }, ''),
    removeRow: (row: number) => {
      choose(undefined);
      change({ rows: rows.filter((_one, i) => i !== row) }, '');
    },
    addColumn: () => change({ columns: [...columns, NEW_COLUMN] }, ''),
    removeColumn,
  };
}

/** Cells that a wide one has pushed out of the table are not kept. */
function trimmed(cells: readonly Cell[], columns: number): readonly Cell[] {
  let taken = 0;
  return cells.filter(({ colspan = 1 }) => {
    taken += colspan;
    return taken - colspan < columns;
  });
}
