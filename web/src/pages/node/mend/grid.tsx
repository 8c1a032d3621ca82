import { useMemo, useRef, useState } from 'preact/hooks';
import type { Qualities } from '../../../data/records/quality.ts';
import { times } from '../../../data/times.ts';
import { tableKeys } from '../../../ui/table/keys.ts';
import { useVirtualRows } from '../../../ui/table/virtual-rows.ts';
import { words } from '../../../words/index.ts';
import { type Kind, kindAt, SAME } from './changes.ts';
import { NO_QUALITY, type Records, type Work } from './records.ts';
import type { Mask } from './selections.ts';
import { say } from './words.ts';

const ROW = 32;
const HEAD = 36;
const TRACKS =
  '2.25rem minmax(10.5rem, 1.3fr) minmax(5.5rem, 1fr) minmax(5.5rem, 1fr) minmax(5rem, 0.8fr) minmax(7rem, 1fr) minmax(7rem, 1.4fr)';
const LEAST = '46rem';

type GridProps = {
  readonly base: Records;
  readonly work: Work;
  readonly mask: Mask;
  /** The rows at these places are shown; undefined: all. */
  readonly places: Int32Array | undefined;
  readonly qualities: Qualities | undefined;
  readonly valueText: (value: number) => string;
  readonly isNumber: boolean;
  readonly onMask: (mask: Mask) => void;
  /** Takes a key that acts on what is chosen. @returns whether it did something */
  readonly onKey: (key: string) => boolean;
};

/** Shows records as rows, and draws those that are seen. Rows have no objects and no keys: 50 000 of them are columns of numbers. */
export function Grid({ base, work, mask, places, qualities, valueText: textOf, isNumber, onMask, onKey }: GridProps) {
  const text = say();
  const scroller = useRef<HTMLDivElement>(null);
  const count = places?.length ?? work.times.length;
  const virtual = useVirtualRows(scroller, count, ROW, HEAD);
  const [active, setActive] = useState(0);
  const anchor = useRef(0);
  const at = Math.min(active, count - 1);
  const rowAt = (index: number) => (places ? places[index]! : index);
  const { whole } = times();
  const id = useMemo(() => `mend-${Math.random().toString(36).slice(2)}`, []);

  const pickOne = (index: number, keeps: boolean) => {
    const next = keeps ? mask.slice() : new Uint8Array(mask.length);
    const place = rowAt(index);
    next[place] = keeps && mask[place] ? 0 : 1;
    anchor.current = index;
    onMask(next);
  };
  const pickRange = (to: number) => {
    const next = new Uint8Array(mask.length);
    const [low, high] = [Math.min(anchor.current, to), Math.max(anchor.current, to)];
    for (let index = low; index <= high; index += 1) next[rowAt(index)] = 1;
    onMask(next);
  };
  const moveTo = (index: number) => {
    const to = Math.min(Math.max(index, 0), count - 1);
    if (to < 0) return;
    setActive(to);
    virtual.scrollTo(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const page = Math.max(Math.floor((scroller.current!.clientHeight - HEAD) / ROW) - 1, 1);
    // A range by the keyboard begins at the row where Shift is pressed first.
    if (event.shiftKey && event.key.startsWith('Arrow') && !mask[rowAt(at)]) anchor.current = at;
    const isDone = tableKeys(event, {
      page,
      at,
      count,
      moveTo,
      pick: (index, isRange) => (isRange ? pickRange(index) : pickOne(index, true)),
      pickAll: () => {
        const next = new Uint8Array(mask.length);
        for (let index = 0; index < count; index += 1) next[rowAt(index)] = 1;
        onMask(next);
      },
      pickNone: () => {
        const hadSome = mask.includes(1);
        if (hadSome) onMask(new Uint8Array(mask.length));
        return hadSome;
      },
      open: () => {},
      other: onKey,
    });
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="table mend-table">
      <div
        ref={scroller}
        class="table-scroll"
        style={{ '--least': LEAST }}
        role="grid"
        tabIndex={0}
        aria-label={text.table}
        aria-rowcount={count + 1}
        aria-multiselectable
        aria-activedescendant={virtual.isDrawn(at) ? `${id}-${at}` : undefined}
        aria-description={text.tableKeys}
        onKeyDown={onKeyDown}
      >
        <div class="table-head" role="rowgroup">
          <div role="row" aria-rowindex={1} class="table-titles" style={{ gridTemplateColumns: TRACKS }}>
            <div role="columnheader" class="table-pick">
              <span class="unseen">{words.value.table.chooseRow}</span>
            </div>
            {[text.time, text.was, text.is, text.state, text.quality, text.note].map((title, i) => (
              <div
                key={title}
                role="columnheader"
                class={isNumber && (i === 1 || i === 2) ? 'table-title is-number' : 'table-title'}
              >
                {title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="table-rows" style={{ height: `${virtual.height}px` }}>
          {virtual.items.map(({ index, start }) => {
            if (index >= count) return null;
            const place = rowAt(index);
            return rowOf(place, index, start);
          })}
        </div>
      </div>
      {count === 0 && <p class="table-empty">{text.noRows}</p>}
    </div>
  );

  function rowOf(place: number, index: number, start: number) {
    const kind: Kind = kindAt(base, work, place);
    const from = work.origin[place]!;
    const isGone = work.gone[place] === 1;
    const isChosen = mask[place] === 1;
    const ms = work.times[place]!;
    const valueText = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : textOf(value));
    const code = work.qualities[place]!;
    const note = work.notes.get(ms) ?? '';
    const was = from < 0 ? '' : valueText(base.values[from]);
    const is = isGone ? '' : valueText(work.values[place]);
    const qualityText = code === NO_QUALITY ? '' : (qualities?.of(code).name ?? String(code));
    return (
      <div
        key={index}
        id={`${id}-${index}`}
        role="row"
        class={`table-row mend-row ${index === at ? 'is-active' : ''} ${isGone ? 'is-gone' : ''}`}
        data-change={kind === SAME ? undefined : kind}
        aria-rowindex={index + 2}
        aria-selected={isChosen}
        style={{ top: `${start}px`, height: `${ROW}px`, gridTemplateColumns: TRACKS }}
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => {
          setActive(index);
          if (event.shiftKey) pickRange(index);
          else pickOne(index, event.ctrlKey || event.metaKey);
        }}
      >
        <div role="gridcell" class="table-pick">
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isChosen}
              aria-label={words.value.table.chooseRow}
              onClick={(event) => {
                event.stopPropagation();
                setActive(index);
                if (event.shiftKey) pickRange(index);
                else pickOne(index, true);
              }}
            />
          </label>
        </div>
        <div role="gridcell" class="table-cell">
          {whole(ms)}
        </div>
        <div
          role="gridcell"
          class={`table-cell ${isNumber ? 'is-number' : ''} mend-was`}
          title={isNumber ? undefined : was}
        >
          <bdi>{was}</bdi>
        </div>
        <div
          role="gridcell"
          class={`table-cell ${isNumber ? 'is-number' : ''} mend-is`}
          title={isNumber ? undefined : is}
        >
          <bdi>{is}</bdi>
        </div>
        <div role="gridcell" class="table-cell mend-kind">
          {text.kinds[kind]}
        </div>
        <div role="gridcell" class="table-cell" title={qualityText}>
          {qualityText}
        </div>
        <div role="gridcell" class="table-cell" title={note}>
          <bdi>{note}</bdi>
        </div>
      </div>
    );
  }
}
