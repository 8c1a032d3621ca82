import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Choice, Column } from './columns.ts';
import { all, NOTHING, type Selection } from './selection.ts';
import { csvOf, tsvOf } from './texts.ts';
import type { TableWords } from './words.ts';

type BarProps<Row> = {
  readonly words: TableWords;
  readonly locale: string;
  readonly columns: readonly Column<Row>[];
  readonly shownColumns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Undefined while not known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly chosenRows: () => readonly Row[];
  readonly keys: readonly string[];
  readonly selection: Selection | undefined;
  readonly onSelection: ((selection: Selection) => void) | undefined;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
  readonly choice: Choice;
  readonly onChoice: ((choice: Choice) => void) | undefined;
  readonly fileName: string;
  readonly tools: ComponentChildren;
};

/** Shows what is done with the table as a whole: filter, count, choose, columns, copy, export. */
export function TableBar<Row>(props: BarProps<Row>) {
  const { words, locale, shownColumns, rows, total, selection, keys } = props;
  const [said, setSaid] = useState('');
  const count = (n: number) => n.toLocaleString(locale);
  const subject = () => {
    const chosen = props.chosenRows();
    return chosen.length > 0 ? chosen : rows;
  };
  const copy = async () => {
    const copied = subject();
    await navigator.clipboard.writeText(tsvOf(shownColumns, copied));
    setSaid(words.copied(count(copied.length)));
  };
  const isAll = selection !== undefined && keys.length > 0 && keys.every((key) => selection.keys.has(key));
  return (
    <div class="table-bar">
      <label class="table-filter">
        <span class="unseen">{words.filter}</span>
        <input
          type="search"
          value={props.filter}
          placeholder={words.filterHint}
          spellcheck={false}
          onInput={(event) => props.onFilter(event.currentTarget.value)}
        />
      </label>
      {props.tools}
      <p class="table-count" role="status">
        {selection && selection.keys.size > 0 && words.chosen(count(selection.keys.size))}
        {!(selection && selection.keys.size > 0) &&
          total !== undefined &&
          words.rows(rows.length === total ? count(total) : `${count(rows.length)} / ${count(total)}`, props.hasMore)}
        {said !== '' && <span class="table-said">{said}</span>}
      </p>
      <div class="table-actions">
        {selection && props.onSelection && keys.length > 0 && (
          <button type="button" class="button is-quiet" onClick={() => props.onSelection!(isAll ? NOTHING : all(keys))}>
            {isAll ? words.chooseNone : words.chooseAll}
          </button>
        )}
        {props.onChoice && <ColumnChoice {...props} onChoice={props.onChoice} />}
        <button type="button" class="button is-quiet" onClick={() => void copy()}>
          {words.copy}
        </button>
        <button
          type="button"
          class="button is-quiet"
          onClick={() => download(`${props.fileName}.csv`, csvOf(shownColumns, subject()))}
        >
          {words.export}
        </button>
      </div>
    </div>
  );
}

type ChoiceProps<Row> = Pick<BarProps<Row>, 'words' | 'columns' | 'choice'> & {
  readonly onChoice: (choice: Choice) => void;
};

function ColumnChoice<Row>({ words, columns, choice, onChoice }: ChoiceProps<Row>) {
  const id = useId();
  const popover = useRef<HTMLFieldSetElement>(null);
  return (
    <div class="table-columns">
      <button type="button" class="button is-quiet" popovertarget={id}>
        {words.columns}
      </button>
      <fieldset ref={popover} id={id} popover="auto" class="table-choice">
        <legend>{words.columns}</legend>
        {columns.map((column) => (
          <label key={column.id}>
            <input
              type="checkbox"
              disabled={column.isFixed}
              checked={column.isFixed || (choice[column.id] ?? !column.isExtra)}
              onChange={(event) => onChoice({ ...choice, [column.id]: event.currentTarget.checked })}
            />
            <span>{column.title}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function download(name: string, text: string): void {
  // Spreadsheets take a text without a mark at its beginning for one of their own encoding.
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}
