import type { Block, Paper } from '../../../data/pages/reports.ts';
import { Button } from '../../../ui/button.tsx';
import { say } from '../words.ts';
import { CellFields } from './cell-fields.tsx';
import type { Change } from './change.ts';
import { FARTHEST } from './places.tsx';
import { MOST_COLUMNS, MOST_ROWS, type RowAt, type Table, useTable } from './use-table.ts';

type TableFieldsProps = {
  readonly block: Block;
  readonly paper: Paper;
  readonly links: readonly string[];
  readonly found: ReadonlyMap<string, string>;
  readonly change: Change;
};

/** Draws the cells of a table, and of the chosen one what else may be set. */
export function TableFields({ block, paper, links, found, change }: TableFieldsProps) {
  const text = say();
  const table = useTable(block, change);
  return (
    <div class="report-table">
      <p class="report-table-acts">
        {(['headerRow', 'footerRow'] as const).map((band) => (
          <label key={band} class="check">
            <input
              type="checkbox"
              checked={table.has(band)}
              onChange={(event) => table.putBand(band, event.currentTarget.checked)}
            />
            <span>{text[band]}</span>
          </label>
        ))}
      </p>
      <Cells table={table} />
      <p class="report-table-acts">
        <Button icon="plus" disabled={table.rowCount >= MOST_ROWS} onClick={table.addRow}>
          {text.addRow}
        </Button>
        <Button icon="plus" disabled={table.widths.length >= MOST_COLUMNS} onClick={table.addColumn}>
          {text.addColumn}
        </Button>
        <Button icon="minus" disabled={table.widths.length <= 1} onClick={table.removeColumn}>
          {text.removeColumn}
        </Button>
      </p>
      {table.chosen && (
        <CellFields
          at={table.chosen}
          cell={table.cellOf(table.chosen)}
          name={text.cell(rowName(table.chosen.row), table.chosen.column + 1)}
          paper={paper}
          links={links}
          found={found}
          onPut={table.putCell}
        />
      )}
    </div>
  );
}

function rowName(row: RowAt): string {
  const text = say();
  return typeof row === 'number' ? text.row(row + 1) : text[row];
}

function Cells({ table }: { readonly table: Table }) {
  const text = say();
  return (
    <div class="report-cells">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.columnWidth}</th>
            {table.widths.map((width, column) => (
              <td key={column}>
                <input
                  type="number"
                  min={0}
                  max={FARTHEST}
                  aria-label={text.widthOf(column + 1)}
                  value={width}
                  onChange={(event) => {
                    const given = event.currentTarget.valueAsNumber;
                    if (given >= 0 && given <= FARTHEST) table.putWidth(column, given);
                  }}
                />
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.all.map((row) => (
            <CellsOfRow key={row} table={table} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CellsOfRow({ table, row }: { readonly table: Table; readonly row: RowAt }) {
  const text = say();
  const name = rowName(row);
  const { chosen } = table;
  return (
    <tr>
      <th scope="row">
        {name}
        {typeof row === 'number' && (
          <Button
            look="bare"
            icon="close"
            aria-label={text.removeRow(row + 1)}
            title={text.removeRow(row + 1)}
            onClick={() => table.removeRow(row)}
          />
        )}
      </th>
      {table.widths.map((_width, column) => {
        const cell = table.cellOf({ row, column });
        return (
          <td key={column}>
            <input
              dir="auto"
              aria-label={text.cell(name, column + 1)}
              aria-current={(chosen?.row === row && chosen.column === column) || undefined}
              value={cell.content}
              onFocus={() => table.choose({ row, column })}
              onInput={(event) => table.putCell({ row, column }, { ...cell, content: event.currentTarget.value })}
            />
          </td>
        );
      })}
    </tr>
  );
}
