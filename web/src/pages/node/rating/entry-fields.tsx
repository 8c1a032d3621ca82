import { useId } from 'preact/hooks';
import { times } from '../../../data/times.ts';
import { inputTime } from '../../../parts/event-table.tsx';
import { FieldProblem, useForm } from '../../../ui/form/index.ts';
import { numberOf } from '../../../ui/form/numbers.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import {
  coefficientsOf,
  doubledIn,
  type FormEntry,
  type FormRow,
  isTable,
  letterAt,
  MOST,
  pasted,
  withCoefficients,
  withRowAfter,
} from './curve.ts';
import { NumberCell } from './number-cell.tsx';
import { say } from './words.ts';

type EntryProps = { readonly entry: FormEntry; readonly path: string; readonly onChange: (entry: FormEntry) => void };

/** Edits from when on an entry is valid, in the person's zone. */
export function StartField({ entry, path, onChange }: EntryProps) {
  const texts = say();
  const { isReadOnly } = useForm();
  const { zone } = times();
  const id = useId();
  const ms = Date.parse(entry.startTime);
  return (
    <div class="editor-field">
      <label for={id}>{texts.startTime}</label>
      <input
        id={id}
        type="datetime-local"
        step="1"
        disabled={isReadOnly}
        aria-describedby={`${id}-hint`}
        value={Number.isFinite(ms) ? inputTime(ms + zone.offsetMs(ms)) : ''}
        onChange={(event) => {
          const clock = Date.parse(`${event.currentTarget.value}Z`);
          onChange({ ...entry, startTime: Number.isFinite(clock) ? new Date(zone.instant(clock)).toISOString() : '' });
        }}
      />
      <p class="editor-hint" id={`${id}-hint`}>
        {texts.startText}
      </p>
      <FieldProblem path={`${path}.startTime`} />
    </div>
  );
}

type RowsProps = {
  readonly rows: readonly FormRow[];
  readonly path: string;
  readonly active: number | undefined;
  readonly onActive: (index: number) => void;
  readonly onRows: (rows: readonly FormRow[]) => void;
};

/** Edits the rows of a table, as they are typed; what the server says of a row stands beside it. */
export function RowsField({ rows, path, active, onActive, onRows }: RowsProps) {
  const texts = say();
  const { isReadOnly, problemOf } = useForm();
  const id = useId();
  const doubled = doubledIn(rows);
  const put = (index: number, column: 0 | 1, cell: FormRow[number]) =>
    onRows(rows.map((row, i) => (i !== index ? row : column === 0 ? [cell, row[1]] : [row[0], cell])));
  const add = () => {
    const next = withRowAfter(rows, active ?? rows.length - 1);
    onRows(next.rows);
    onActive(next.index);
  };
  return (
    <fieldset
      class="editor-group rating-rows"
      onPaste={(event) => {
        const given = isReadOnly ? undefined : pasted(event.clipboardData?.getData('text/plain') ?? '', numberOf);
        if (!given) return;
        event.preventDefault();
        const from = active ?? rows.length;
        onRows([...rows.slice(0, from), ...given, ...rows.slice(from + given.length)].slice(0, MOST.rows));
      }}
    >
      <legend>{texts.table}</legend>
      <ScrollArea class="rating-scroll" label={texts.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.inputHead}</th>
              <th scope="col">{texts.resultHead}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => {
              const at = `${path}[${i}]`;
              const said = [at, `${at}[0]`, `${at}[1]`].map(problemOf).find((problem) => problem !== undefined);
              const problem = said ?? (doubled.has(i) ? texts.doubled : undefined);
              return (
                <tr key={i} class={i === active ? 'is-chosen' : undefined} onFocusIn={() => onActive(i)}>
                  <td>
                    <NumberCell
                      value={row[0]}
                      label={texts.inputOf(i + 1)}
                      isReadOnly={isReadOnly}
                      isWrong={problem !== undefined}
                      describedBy={problem === undefined ? undefined : `${id}-${i}`}
                      onChange={(cell) => put(i, 0, cell)}
                    />
                  </td>
                  <td>
                    <NumberCell
                      value={row[1]}
                      label={texts.resultOf(i + 1)}
                      isReadOnly={isReadOnly}
                      isWrong={problemOf(`${at}[1]`) !== undefined}
                      onChange={(cell) => put(i, 1, cell)}
                    />
                  </td>
                  <td>
                    {!isReadOnly && (
                      <button
                        type="button"
                        class="button is-bare is-sign"
                        aria-label={texts.removeRow(i + 1)}
                        title={texts.removeRow(i + 1)}
                        onClick={() => onRows(rows.filter((_, other) => other !== i))}
                      >
                        <Icon name="close" />
                      </button>
                    )}
                    {problem !== undefined && (
                      <span class="editor-problem" id={`${id}-${i}`} role={said === undefined ? undefined : 'alert'}>
                        {problem}
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollArea>
      {!isReadOnly && (
        <>
          <button type="button" class="button is-quiet" disabled={rows.length >= MOST.rows} onClick={add}>
            {texts.addRow}
          </button>
          <p class="editor-hint">{texts.pasteHint}</p>
        </>
      )}
      <FieldProblem path={path} />
    </fieldset>
  );
}

/** Edits the coefficients of a polynomial, the constant first. */
export function CoefficientsField({ entry, path, onChange }: EntryProps) {
  const texts = say();
  const { isReadOnly, problemOf } = useForm();
  const values = coefficientsOf(entry);
  const put = (next: typeof values) => onChange(withCoefficients(entry, next));
  return (
    <fieldset class="editor-group rating-coefficients">
      <legend>{texts.kindPolynomial(values.length)}</legend>
      {values.map((value, i) => {
        const letter = letterAt(i);
        const problem = problemOf(`${path}.coefficients.${letter}`);
        return (
          <div key={letter} class="rating-coefficient">
            <span aria-hidden="true">{texts.coefficient(letter, i)}</span>
            <NumberCell
              value={value}
              label={texts.coefficient(letter, i)}
              isReadOnly={isReadOnly}
              isWrong={problem !== undefined}
              onChange={(cell) => put(values.map((value, other) => (other === i ? cell : value)))}
            />
            {problem !== undefined && (
              <span class="editor-problem" role="alert">
                {problem}
              </span>
            )}
          </div>
        );
      })}
      {!isReadOnly && (
        <div class="editor-buttons">
          <button
            type="button"
            class="button is-quiet"
            disabled={values.length >= MOST.coefficients}
            onClick={() => put([...values, 0])}
          >
            {texts.addCoefficient}
          </button>
          {values.length > 1 && (
            <button type="button" class="button is-quiet" onClick={() => put(values.slice(0, -1))}>
              {texts.removeCoefficient}
            </button>
          )}
        </div>
      )}
      <FieldProblem path={`${path}.coefficients`} />
    </fieldset>
  );
}

export const kindOf = (entry: FormEntry): string =>
  isTable(entry) ? say().kindTable(entry.table!.length) : say().kindPolynomial(coefficientsOf(entry).length);
