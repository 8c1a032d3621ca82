import { useRef, useState } from 'preact/hooks';
import { useVirtualRows } from '../../ui/table/virtual-rows.ts';
import { change, draft, namesOf, viewOf } from './draft.ts';
import { columnsOn, SERIES_MAX } from './lack.ts';
import { say } from './words.ts';

const ROW = 52;
/** On narrow screens the parts of a column stand in two lines. */
const NARROW_ROW = 96;
const TYPES = ['NUMBER', 'TEXT', 'BOOLEAN', 'TIME'];
/** Lists that are no longer need no field to find something in them. */
const SHORT = 12;

const narrow = matchMedia('(width < 48rem)');

/** Shows what becomes of each column: name, unit, type, or nothing. However many there are, those that are seen are drawn. */
export function Columns({ isBusy }: { readonly isBusy: boolean }) {
  const text = say();
  const d = draft();
  const scroller = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const all = viewOf(d)?.columns ?? [];
  const folded = filter.trim().toLocaleLowerCase();
  const shown =
    folded === ''
      ? all
      : all.filter((column) => `${column.label} ${namesOf(d, column).name}`.toLocaleLowerCase().includes(folded));
  const height = narrow.matches ? NARROW_ROW : ROW;
  const virtual = useVirtualRows(scroller, shown.length, height, 0);
  const on = columnsOn(d);
  return (
    <section class="station-columns" aria-label={text.columns} aria-busy={isBusy}>
      <header>
        <h3>{text.columns}</h3>
        <p class={on > SERIES_MAX || on === 0 ? 'problem' : 'soft'} aria-live="polite">
          {on === 0 ? text.none : on > SERIES_MAX ? text.tooMany(SERIES_MAX) : text.columnsOf(on, all.length)}
        </p>
        {all.length > SHORT && (
          <input
            type="search"
            class="field"
            aria-label={text.filter}
            placeholder={text.filter}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        )}
      </header>
      <p class="station-column-heads soft" aria-hidden="true">
        <span>{text.inFile}</span>
        <span>{text.parameter}</span>
        <span>{text.units}</span>
        <span>{text.type}</span>
      </p>
      <div ref={scroller} class="station-scroll" style={{ height: `${Math.min(shown.length, 8) * height}px` }}>
        <ul style={{ height: `${virtual.height}px` }}>
          {virtual.items.map(({ index, start }) => {
            const column = shown[index];
            if (column === undefined) return null;
            return <ColumnRow key={column.key} column={column} top={start} height={height} />;
          })}
        </ul>
      </div>
    </section>
  );
}

type Shown = NonNullable<ReturnType<typeof viewOf>>['columns'][number];

function ColumnRow({ column, top, height }: { readonly column: Shown; readonly top: number; readonly height: number }) {
  const text = say();
  const d = draft();
  const { name, units } = namesOf(d, column);
  const of = column.label || text.column(column.index + 1);
  const edit = (part: object) => {
    // The drawn columns may be a frame behind what was typed last.
    const { columns } = draft();
    change({ columns: { ...columns, [column.key]: { ...columns[column.key], ...part } } });
  };
  const types = TYPES.includes(column.type) ? TYPES : [...TYPES, column.type];
  return (
    <li class={column.isOff ? 'is-off' : ''} style={{ transform: `translateY(${top}px)`, height: `${height}px` }}>
      <input
        type="checkbox"
        aria-label={text.take(of)}
        checked={!column.isOff}
        onChange={(event) => edit({ isOff: !event.currentTarget.checked })}
      />
      <bdi class="station-column" title={of}>
        {of}
      </bdi>
      <input
        class="field"
        aria-label={text.nameOf(of)}
        placeholder={text.name}
        maxLength={120}
        dir="auto"
        disabled={column.isOff}
        value={name}
        onInput={(event) => edit({ name: event.currentTarget.value })}
      />
      <input
        class="field"
        aria-label={text.unitsOf(of)}
        placeholder={text.units}
        maxLength={30}
        disabled={column.isOff}
        value={units}
        onInput={(event) => edit({ units: event.currentTarget.value })}
      />
      <select
        class="field"
        aria-label={text.typeOf(of)}
        disabled={column.isOff}
        value={column.type}
        onChange={(event) => edit({ type: event.currentTarget.value })}
      >
        {types.map((type) => (
          <option key={type} value={type}>
            {text.types[type] ?? type}
          </option>
        ))}
      </select>
    </li>
  );
}
