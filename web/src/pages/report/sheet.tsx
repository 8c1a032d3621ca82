import type { CSSProperties, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSize } from '../../components/use-size.ts';
import { AREAS, type Area, type Block, type Cell, type Look, type Paper } from '../../data/pages/reports.ts';
import { Icon } from '../../ui/icon.tsx';
import { geometryOf, lowerEnd, shownSize } from './document.ts';
import { say } from './words.ts';

type Place = Pick<Block, 'x' | 'y' | 'width' | 'height'>;

type SheetProps = {
  readonly blocks: readonly Block[];
  readonly paper: Paper;
  readonly chosenId: string | undefined;
  /** Something is wrong in these blocks. */
  readonly wrong: ReadonlySet<string>;
  readonly labelOf: (block: Block) => string;
  readonly onChoose: (id: string) => void;
  readonly onPlaced: (block: Block) => void;
  /** @returns whether the key has done something */
  readonly onKey: (block: Block, event: KeyboardEvent) => boolean;
  readonly describedBy: string;
};

/** Points of a step. */
const STEP = 5;
/** A press that moves less is a click. */
const STILL_PIXELS = 4;
const MOST_POINTS = 4_000;
/** The sheet has room for this many signs of a text. */
const MOST_SIGNS = 600;

/** Shows the paper with its blocks in place: put by mouse, finger or keys. What grows when it is printed is seen beside. */
export function Sheet(props: SheetProps) {
  const { blocks, paper } = props;
  const text = say();
  const room = useRef<HTMLDivElement>(null);
  const size = useSize(room, 60);
  const geometry = geometryOf(paper, lowerEnd(blocks, 'CONTENT') + 20);
  const scale = size === undefined ? 0.6 : Math.min((size.width - 2) / geometry.page.width, 1.3);
  const px = (points: number) => `${(points * scale).toFixed(2)}px`;
  return (
    <div ref={room} class="sheet-room">
      <section
        class="report-sheet"
        aria-label={text.sheet}
        aria-describedby={props.describedBy}
        style={{ width: px(geometry.page.width), height: px(geometry.page.height) }}
      >
        {AREAS.map((area) => {
          const place = geometry.areas[area];
          if (!place) return null;
          return (
            <div
              key={area}
              class="sheet-area"
              data-area={area}
              style={{ left: px(place.x), top: px(place.y), width: px(place.width), height: px(place.height) }}
            >
              {area !== 'CONTENT' && <span class="sheet-area-name">{text.areas[area]}</span>}
              {blocks
                .filter((block) => areaOf(block, geometry.areas) === area)
                .map((block) => (
                  <Item key={block._id} {...props} block={block} room={place.width} scale={scale} />
                ))}
            </div>
          );
        })}
      </section>
    </div>
  );
}

/** Blocks of an area that is switched off are not printed, and not lost. */
const areaOf = ({ area }: Block, areas: Readonly<Record<Area, unknown>>): Area | undefined =>
  areas[area] === undefined ? undefined : area;

type ItemProps = SheetProps & { readonly block: Block; readonly room: number; readonly scale: number };

function Item(props: ItemProps) {
  const { block, room, scale, chosenId, labelOf, onChoose, onPlaced, onKey } = props;
  const text = say();
  const [moved, setMoved] = useState<Place>();
  const element = useRef<HTMLDivElement>(null);
  const isChosen = block._id === chosenId;
  useEffect(() => {
    if (isChosen) element.current!.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const shown = { ...block, ...moved };
  const { width, height } = shownSize(shown, room);
  const px = (points: number) => `${(points * scale).toFixed(2)}px`;
  const canResize = block.type !== 'PAGE_BREAK' && block.type !== 'TABLE';
  /** Follows a pointer until it is let go. */
  const follow = (event: TargetedPointerEvent<HTMLElement>, isResize: boolean) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const target = event.currentTarget;
    const { clientX, clientY, pointerId } = event;
    const size = shownSize(block, room);
    let place: Place | undefined;
    const at = (event: PointerEvent): Place => {
      const step = event.altKey ? 1 : STEP;
      const by = (pixels: number) => Math.round(pixels / scale / step) * step;
      const [dx, dy] = [by(event.clientX - clientX), by(event.clientY - clientY)];
      return isResize
        ? {
            ...block,
            width: bounded(size.width + dx, 5),
            height: bounded(size.height + dy, block.type === 'LINE' ? 0 : 5),
          }
        : { ...block, x: bounded(block.x + dx), y: bounded(block.y + dy) };
    };
    const move = (event: PointerEvent) => {
      if (place === undefined && Math.hypot(event.clientX - clientX, event.clientY - clientY) < STILL_PIXELS) return;
      place = at(event);
      setMoved(place);
    };
    const end = (event: PointerEvent) => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', end);
      target.removeEventListener('pointercancel', end);
      setMoved(undefined);
      if (place === undefined || event.type === 'pointercancel') return onChoose(block._id);
      onPlaced({ ...block, x: place.x, y: place.y, width: place.width, height: place.height });
    };
    target.setPointerCapture(pointerId);
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', end);
    target.addEventListener('pointercancel', end);
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.metaKey) return;
    const [dx, dy] = ARROWS[event.key] ?? [];
    if (dx === undefined || dy === undefined) {
      if (!onKey(block, event)) return;
    } else {
      const step = event.altKey ? 1 : STEP;
      const size = shownSize(block, room);
      if (event.shiftKey && canResize)
        onPlaced({
          ...block,
          ...(dx !== 0 && { width: bounded(size.width + dx * step, 5) }),
          ...(dy !== 0 && { height: bounded(size.height + dy * step, 5) }),
        });
      else if (!event.shiftKey)
        onPlaced({ ...block, x: bounded(block.x + dx * step), y: bounded(block.y + dy * step) });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const label = labelOf(block);
  const attributes = {
    ref: element,
    class: isChosen ? 'sheet-block is-chosen' : 'sheet-block',
    'data-type': block.type,
    'data-block': block._id,
    'data-wrong': props.wrong.has(block._id) || undefined,
    style: { left: px(shown.x), top: px(shown.y), width: px(width), height: px(height) },
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => follow(event, false),
    onKeyDown: press,
  };
  const handle = isChosen && canResize && (
    <span class="sheet-handle" title={text.resize} onPointerDown={(event) => follow(event, true)} />
  );
  // A frame holds blocks, which a button must not.
  if (block.type === 'FRAME')
    return (
      // biome-ignore lint/a11y/useSemanticElements: no fieldset of a form.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: each block is moved by keys.
      <div {...attributes} role="group" tabIndex={0} aria-label={label} aria-current={isChosen || undefined}>
        <Drawn {...props} block={shown} />
        {handle}
      </div>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: what it shows are blocks of text and tables.
    <div {...attributes} role="button" tabIndex={0} aria-pressed={isChosen}>
      <Drawn {...props} block={shown} />
      <span class="unseen">{label}</span>
      {handle}
    </div>
  );
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const bounded = (points: number, least = 0): number => Math.min(Math.max(Math.round(points), least), MOST_POINTS);

function Drawn(props: ItemProps) {
  const { block, scale, room, paper } = props;
  const text = say();
  const look = lookOf(block, paper, scale);
  switch (block.type) {
    case 'TEXT':
      return (
        <span class="sheet-text" dir="auto" style={look}>
          {block.content ? block.content.slice(0, MOST_SIGNS) : text.emptyText}
        </span>
      );
    case 'IMAGE':
      return (
        <span class="sheet-note">
          <Icon name="map" />
          <span>{block.source || text.types.IMAGE}</span>
        </span>
      );
    case 'BARCODE':
      return (
        <span class="sheet-note is-barcode">
          <span>{block.content}</span>
        </span>
      );
    case 'LINE':
      return (
        <svg class="sheet-line" aria-hidden="true" focusable="false">
          <line
            x1="0"
            y1="0"
            x2="100%"
            y2={block.height === 0 ? '0' : '100%'}
            stroke={block.lineColor ?? '#000000'}
            stroke-width={(block.lineWidth ?? 1) * scale}
          />
        </svg>
      );
    case 'PAGE_BREAK':
      return <span class="sheet-break">{text.types.PAGE_BREAK}</span>;
    case 'TABLE':
      return <DrawnTable block={block} scale={scale} look={look} />;
    case 'FRAME':
      return (
        <div
          class="sheet-frame"
          style={{ border: `${(block.lineWidth ?? 1) * scale}px solid ${block.lineColor ?? '#000000'}` }}
        >
          {(block.elements ?? []).map((element) => (
            <Item key={element._id} {...props} block={element} room={block.width || room} />
          ))}
        </div>
      );
  }
}

function DrawnTable({
  block,
  scale,
  look,
}: {
  readonly block: Block;
  readonly scale: number;
  readonly look: CSSProperties;
}) {
  const columns = block.columns ?? [];
  const rows: readonly (readonly Cell[])[] = [
    ...(block.headerRow?.length ? [block.headerRow] : []),
    ...(block.rows ?? []),
    ...(block.footerRow?.length ? [block.footerRow] : []),
  ];
  return (
    <div
      class="sheet-table"
      style={{ ...look, gridTemplateColumns: columns.map(({ width = 100 }) => `${width * scale}px`).join(' ') }}
    >
      {rows.map((cells, row) =>
        cells.map(({ content, colspan = 1 }, column) => (
          <span
            key={`${row} ${column}`}
            dir="auto"
            class={row === 0 && block.headerRow?.length ? 'is-head' : undefined}
            style={{ gridColumn: `span ${Math.min(colspan, Math.max(columns.length, 1))}` }}
          >
            {content.slice(0, 100)}
          </span>
        )),
      )}
    </div>
  );
}

const FONTS: Readonly<Record<string, string>> = { Courier: 'monospace', Times: 'serif', Helvetica: 'sans-serif' };

/** Returns the look of a block as far as the sheet shows it. */
function lookOf({ style, styleId }: Block, { styles }: Paper, scale: number): CSSProperties {
  const named = styles.find(({ _id }) => _id === styleId);
  const look: Look = { ...named, ...style };
  const padding = Number(look.padding ?? 0) * scale;
  return {
    fontSize: `${Number(look.fontSize ?? 12) * scale}px`,
    fontFamily: FONTS[String(look.font ?? 'Helvetica')] ?? 'sans-serif',
    fontWeight: look.bold === true ? 700 : 400,
    fontStyle: look.italic === true ? 'italic' : 'normal',
    textDecoration: [look.underline === true && 'underline', look.strikethrough === true && 'line-through']
      .filter(Boolean)
      .join(' '),
    textAlign: String(look.alignment ?? 'LEFT').toLowerCase() as 'left',
    color: typeof look.color === 'string' ? look.color : '#000000',
    ...(typeof look.background === 'string' && { background: look.background }),
    padding: `${padding}px`,
    lineHeight: Number(look.lineSpacing ?? 1) * 1.2,
  };
}
