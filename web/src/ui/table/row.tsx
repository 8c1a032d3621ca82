import { Component, type ComponentChildren, createRef, type RefObject } from 'preact';
import type { Column } from './columns.ts';
import { flash } from './flash.ts';

export type RowProps<Row> = {
  readonly id: string;
  readonly row: Row;
  readonly rowKey: string;
  readonly index: number;
  readonly start: number;
  readonly height: number;
  readonly columns: readonly Column<Row>[];
  readonly tracks: string;
  readonly tone: string | undefined;
  readonly version: string | undefined;
  readonly isActive: boolean;
  /** Rows of this table cannot be chosen where undefined. */
  readonly isChosen: boolean | undefined;
  readonly chooseLabel: string;
  readonly narrow: ((row: Row) => ComponentChildren) | undefined;
  readonly acts: RowActs<Row>;
};

/** The actions on rows. One object for as long as a table is there: rows that move are not drawn anew for it. */
export type RowActs<Row> = {
  readonly pick: (key: string, isRange: boolean) => void;
  readonly activate: (key: string) => void;
  readonly open: (row: Row) => void;
};

/** A row is drawn again when something of it is another than before. */
export class TableRow<Row> extends Component<RowProps<Row>> {
  readonly #element = createRef<HTMLDivElement>();

  override shouldComponentUpdate(next: RowProps<Row>): boolean {
    return (Object.keys(next) as (keyof RowProps<Row>)[]).some((name) => next[name] !== this.props[name]);
  }

  override componentDidUpdate(before: RowProps<Row>): void {
    const { rowKey, version } = this.props;
    const { current: element } = this.#element;
    // An element that has got another row has not changed.
    if (before.rowKey !== rowKey) flash(element, false);
    else if (before.version !== undefined && before.version !== version) flash(element, true);
  }

  override render() {
    return <Drawn {...(this.props as RowProps<Row>)} element={this.#element} />;
  }
}

/** Shows the cells beside each other, or where there is no room for them as the page puts them together. */
function Drawn<Row>(props: RowProps<Row> & { readonly element: RefObject<HTMLDivElement | null> }) {
  const { id, row, rowKey, index, start, height, columns, tracks, tone, isActive, isChosen, narrow, acts } = props;
  return (
    <div
      ref={props.element}
      id={id}
      role="row"
      class={isActive ? 'table-row is-active' : 'table-row'}
      data-tone={tone}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ top: `${start}px`, height: `${height}px`, gridTemplateColumns: tracks }}
      onMouseDown={(event) => {
        // The browser would mark texts with Shift.
        if (event.shiftKey && isChosen !== undefined) event.preventDefault();
      }}
      onClick={(event) => {
        acts.activate(rowKey);
        if (isChosen !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          acts.pick(rowKey, event.shiftKey);
        }
      }}
      onDblClick={() => acts.open(row)}
    >
      {isChosen !== undefined && (
        <div role="gridcell" class="table-pick">
          {/* Keys choose rows of the table as a whole: this is for hands. */}
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isChosen}
              aria-label={props.chooseLabel}
              onClick={(event) => {
                event.stopPropagation();
                acts.pick(rowKey, event.shiftKey);
              }}
            />
          </label>
        </div>
      )}
      {narrow ? (
        <div role="gridcell" class="table-card">
          {narrow(row)}
        </div>
      ) : (
        columns.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            class={column.isNumber ? 'table-cell is-number' : 'table-cell'}
            title={column.text(row)}
          >
            {column.cell ? column.cell(row) : <bdi>{column.text(row)}</bdi>}
          </div>
        ))
      )}
    </div>
  );
}
