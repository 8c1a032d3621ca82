import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Column } from './columns.ts';
import { type RowActs, TableRow } from './row.tsx';
import type { Selection } from './selection.ts';
import { useVirtualRows } from './virtual-rows.ts';

type RowsProps<Row> = {
  readonly id: string;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Rows and their keys have the order of the screen. */
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  /** All rows count, also those that the filter leaves out. */
  readonly total: number;
  readonly height: number;
  readonly headHeight: number;
  readonly chooseLabel: string;
  readonly columns: readonly Column<Row>[];
  readonly tracks: string;
  readonly narrow: ((row: Row) => ComponentChildren) | undefined;
  readonly acts: RowActs<Row>;
  readonly active: string | undefined;
  /** -1: no row is active. */
  readonly activeIndex: number;
  readonly selection: Selection | undefined;
  readonly toneOf: ((row: Row) => string | undefined) | undefined;
  readonly versionOf: ((row: Row) => string) | undefined;
  readonly onVisible: ((rows: readonly Row[]) => void) | undefined;
  readonly onEnd: (() => void) | undefined;
  /** Is given what brings a row into sight. */
  readonly scrollTo: { current: ((index: number) => void) | undefined };
};

/** More rows are asked for this many before the end. */
const NEAR_END = 30;

/** The rows that are seen. What is around them is not drawn anew while they move. */
export function Rows<Row>(props: RowsProps<Row>) {
  const { id, rows, keys, height, selection, active, onEnd } = props;
  const virtual = useVirtualRows(props.scroller, rows.length, height, props.headHeight);
  props.scrollTo.current = virtual.scrollTo;
  // A row that comes into sight takes the element of one that has gone.
  const places = useRef(1);
  places.current = Math.max(places.current, virtual.items.length);

  const last = virtual.items.at(-1)?.index ?? 0;
  const isNearEnd = rows.length > 0 && last >= rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, props.total, onEnd]);

  // The grid is not drawn anew with its rows, and may name only a row that is drawn.
  const named = virtual.isDrawn(props.activeIndex) ? `${id}-${props.activeIndex}` : undefined;
  useLayoutEffect(() => {
    const grid = props.scroller.current;
    if (named === undefined) grid?.removeAttribute('aria-activedescendant');
    else grid?.setAttribute('aria-activedescendant', named);
  }, [named, props.scroller]);

  const visible = virtual.items.map(({ index }) => keys[index]).join('\n');
  // The effect does not wait for the frame, which costs a timer in each.
  useLayoutEffect(() => {
    props.onVisible?.(virtual.items.flatMap(({ index }) => rows[index] ?? []));
  }, [visible]);

  return (
    <div role="rowgroup" class="table-rows" style={{ height: `${virtual.height}px` }}>
      {virtual.items.map(({ index, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const key = keys[index]!;
        return (
          <TableRow
            key={index % places.current}
            id={`${id}-${index}`}
            row={row}
            rowKey={key}
            index={index}
            start={start}
            height={height}
            columns={props.columns}
            tracks={props.tracks}
            tone={props.toneOf?.(row)}
            version={props.versionOf?.(row)}
            isActive={key === active}
            isChosen={selection?.keys.has(key)}
            chooseLabel={props.chooseLabel}
            narrow={props.narrow}
            acts={props.acts}
          />
        );
      })}
    </div>
  );
}
