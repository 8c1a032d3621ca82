import type { Cell, Paper } from '../../../data/pages/reports.ts';
import { ExpressionField } from '../expression-field.tsx';
import { textField } from '../report-form.tsx';
import { say } from '../words.ts';
import { StyleChoice } from './style-choice.tsx';
import { type CellAt, MOST_COLUMNS } from './use-table.ts';

type CellFieldsProps = {
  readonly at: CellAt;
  readonly cell: Cell;
  readonly name: string;
  readonly paper: Paper;
  readonly links: readonly string[];
  readonly found: ReadonlyMap<string, string>;
  readonly onPut: (at: CellAt, cell: Cell) => void;
};

const CONTENT = textField('content', { isRequired: true, maxLength: 10_000 });

/** Draws what may be set of a cell. */
export function CellFields({ at, cell, name, paper, links, found, onPut }: CellFieldsProps) {
  const text = say();
  const row = typeof at.row === 'number' ? `rows[${at.row}]` : at.row;
  return (
    <fieldset class="report-cell">
      <legend>{name}</legend>
      <ExpressionField
        key={`${at.row} ${at.column}`}
        field={CONTENT}
        path=""
        value={cell.content}
        onChange={(content) => onPut(at, { ...cell, content: String(content ?? '') })}
        links={links}
        label={text.cellText}
        found={found.get(`${row}[${at.column}].content`)}
      />
      <label class="editor-field">
        <span>{text.colspan}</span>
        <input
          type="number"
          min={1}
          max={MOST_COLUMNS}
          value={cell.colspan ?? 1}
          onChange={(event) => {
            const colspan = event.currentTarget.valueAsNumber;
            if (Number.isInteger(colspan) && colspan >= 1 && colspan <= MOST_COLUMNS) onPut(at, { ...cell, colspan });
          }}
        />
      </label>
      {paper.styles.length > 0 && (
        <StyleChoice
          label={text.style}
          value={cell.styleId ?? ''}
          paper={paper}
          onChange={(styleId) => {
            const { styleId: _before, ...others } = cell;
            onPut(at, styleId === '' ? others : { ...others, styleId });
          }}
        />
      )}
    </fieldset>
  );
}
