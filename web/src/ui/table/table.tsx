import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { TableBar } from './bar.tsx';
import { type Choice, type Column, filtered, leastWidth, type Sort, shownOf, sorted } from './columns.ts';
import { TableHead } from './head.tsx';
import { tableKeys } from './keys.ts';
import type { RowActs } from './row.tsx';
import { Rows } from './rows.tsx';
import { NOTHING, pick, type Selection, without } from './selection.ts';
import type { TableWords } from './words.ts';

export type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly words: TableWords;
  readonly locale: string;
  /** Stands in place of rows, with what to do. */
  readonly empty: ComponentChildren;
  /** Stands beside the filter. */
  readonly tools?: ComponentChildren;
  readonly fileName: string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort | undefined) => void;
  readonly filter?: string;
  readonly onFilter?: (text: string) => void;
  readonly choice?: Choice;
  readonly onChoice?: (choice: Choice) => void;
  /** Rows can be chosen, many at once. */
  readonly selection?: Selection;
  readonly onSelection?: (selection: Selection) => void;
  readonly active?: string | undefined;
  readonly onActive?: (key: string) => void;
  readonly onOpen?: (row: Row) => void;
  /** Keys of the page act on rows: on those that are chosen, otherwise on the active one. @returns whether it did something */
  readonly onKey?: (key: string, rows: readonly Row[]) => boolean;
  readonly toneOf?: (row: Row) => string | undefined;
  /** A row whose version changes flashes once. */
  readonly versionOf?: (row: Row) => string;
  /** Below this width a row is put together as a card. */
  readonly card?: { readonly below: number; readonly height: number; readonly show: (row: Row) => ComponentChildren };
  readonly rowHeight?: number;
  /** Gets the rows that are drawn, such as to read more about them. */
  readonly onVisible?: (rows: readonly Row[]) => void;
  /** More rows are known of than are here: asked for as the end comes near. */
  readonly onEnd?: (() => void) | undefined;
  readonly isBusy?: boolean;
};

const ROW_HEIGHT = 40;
const HEAD_HEIGHT = 36;
const PICK_WIDTH = '2.5rem';

/**
 * Shows a table of any number of rows, of which it draws those that are seen. It is one stop of the tab key, and is moved in by arrows; it
 * knows nothing of what its rows are.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, keyOf, words, locale, selection, card, rowHeight = ROW_HEIGHT } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const width = useWidth(scroller);
  const [ownSort, setOwnSort] = useState<Sort | undefined>();
  const [ownFilter, setOwnFilter] = useState('');
  const [ownActive, setOwnActive] = useState<string | undefined>();
  const sort = props.onSort ? props.sort : ownSort;
  const filter = props.onFilter ? (props.filter ?? '') : ownFilter;
  const { choice } = props;
  const shownColumns = useMemo(() => shownOf(columns, choice ?? {}), [columns, choice]);
  const shown = useMemo(
    () => sorted(filtered(rows, columns, filter), columns, sort, locale),
    [rows, columns, filter, sort, locale],
  );
  const keys = useMemo(() => shown.map(keyOf), [shown, keyOf]);
  const isNarrow = card !== undefined && width > 0 && width < card.below;
  const height = isNarrow ? card.height : rowHeight;
  const headHeight = isNarrow ? 0 : HEAD_HEIGHT;
  const scrollTo = useRef<((index: number) => void) | undefined>(undefined);
  const active = (props.onActive ? props.active : ownActive) ?? undefined;
  const activeIndex = active === undefined ? -1 : keys.indexOf(active);
  const setActive = props.onActive ?? setOwnActive;

  useEffect(() => {
    if (!selection || !props.onSelection) return;
    const there = new Set(rows.map(keyOf));
    const left = without(selection, (key) => there.has(key));
    if (left !== selection) props.onSelection(left);
  }, [rows, selection, keyOf, props.onSelection]);

  const chosenRows = () => (selection ? shown.filter((_, i) => selection.keys.has(keys[i]!)) : []);
  const concerned = () => {
    const chosen = chosenRows();
    return chosen.length > 0 ? chosen : activeIndex < 0 ? [] : [shown[activeIndex]!];
  };
  const moveTo = (index: number) => {
    const to = Math.min(Math.max(index, 0), shown.length - 1);
    if (to < 0) return;
    setActive(keys[to]!);
    scrollTo.current?.(to);
  };
  const choose = (next: Selection) => props.onSelection?.(next);
  const now = useRef<RowActs<Row>>(undefined);
  now.current = {
    pick: (key, isRange) => selection && choose(pick(selection, keys, key, isRange)),
    activate: setActive,
    open: (row) => props.onOpen?.(row),
  };
  const acts = useMemo<RowActs<Row>>(
    () => ({
      pick: (key, isRange) => now.current!.pick(key, isRange),
      activate: (key) => now.current!.activate(key),
      open: (row) => now.current!.open(row),
    }),
    [],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const page = Math.max(Math.floor((scroller.current!.clientHeight - headHeight) / height) - 1, 1);
    const isDone = tableKeys(event, {
      page,
      at: activeIndex,
      count: shown.length,
      moveTo,
      pick: (index, isRange) => selection && choose(pick(selection, keys, keys[index]!, isRange)),
      pickAll: () => selection && choose({ keys: new Set(keys), anchor: keys[0] }),
      pickNone: () => selection && selection.keys.size > 0 && choose(NOTHING),
      open: (index) => props.onOpen?.(shown[index]!),
      other: (key) => props.onKey?.(key, concerned()) ?? false,
    });
    if (isDone) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const tracks = [...(selection ? [PICK_WIDTH] : []), ...(isNarrow ? ['1fr'] : shownColumns.map((c) => c.width))];
  const grid = tracks.join(' ');

  const isEmpty = shown.length === 0 && !props.isBusy;
  // A list that is still read, or could not be read, has no count: none is not the same as not known.
  const isKnown = rows.length > 0 || (!props.isBusy && props.empty !== false);

  return (
    <div class={`table ${isNarrow ? 'is-narrow' : ''} ${isEmpty ? 'is-empty' : ''}`}>
      <TableBar
        words={words}
        locale={locale}
        columns={columns}
        shownColumns={shownColumns}
        rows={shown}
        total={isKnown ? rows.length : undefined}
        hasMore={props.onEnd !== undefined}
        chosenRows={chosenRows}
        selection={selection}
        filter={filter}
        onFilter={props.onFilter ?? setOwnFilter}
        choice={props.choice ?? {}}
        onChoice={props.onChoice}
        onSelection={props.onSelection}
        keys={keys}
        fileName={props.fileName}
        tools={props.tools}
      />
      <div
        ref={scroller}
        class="table-scroll"
        style={{ '--least': `${leastWidth(tracks)}rem` }}
        role="grid"
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={props.onEnd ? -1 : shown.length + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-busy={props.isBusy}
        aria-description={words.keys}
        onKeyDown={onKeyDown}
        onFocus={() => {
          if (activeIndex < 0 && shown.length > 0) setActive(keys[0]!);
        }}
      >
        <TableHead
          columns={shownColumns}
          tracks={grid}
          isHidden={isNarrow}
          hasPick={selection !== undefined}
          pickLabel={words.chooseRow}
          sort={sort}
          words={words}
          onSort={props.onSort ?? setOwnSort}
        />
        <Rows
          id={id}
          scroller={scroller}
          rows={shown}
          keys={keys}
          total={rows.length}
          height={height}
          headHeight={headHeight}
          chooseLabel={words.chooseRow}
          columns={shownColumns}
          tracks={grid}
          selection={selection}
          active={active}
          activeIndex={activeIndex}
          toneOf={props.toneOf}
          versionOf={props.versionOf}
          onVisible={props.onVisible}
          onEnd={props.onEnd}
          narrow={isNarrow ? card.show : undefined}
          acts={acts}
          scrollTo={scrollTo}
        />
      </div>
      {rows.length === 0 && !props.isBusy && <div class="table-empty">{props.empty}</div>}
      {rows.length > 0 && shown.length === 0 && (
        <div class="table-empty">
          <p>{words.noMatch}</p>
          <button type="button" class="button is-quiet" onClick={() => (props.onFilter ?? setOwnFilter)('')}>
            {words.showAll}
          </button>
        </div>
      )}
    </div>
  );
}

function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
