import type { GridStack } from 'gridstack';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type BoardTile, COLUMNS, type Room, within } from '../../data/pages/tiles.ts';
import 'gridstack/dist/gridstack.css';

/** The live page has this height of a row and this room between tiles. */
const ROW = '5.25rem';
const GAP = '0.4375rem';

export type Placed = Room & { readonly id: string };

type GridProps = {
  readonly label: string;
  readonly describedBy: string;
  readonly tiles: readonly BoardTile[];
  readonly chosenId: string | undefined;
  readonly labelOf: (tile: BoardTile) => string;
  /** Hears where tiles stand now, those that were pushed aside, too. */
  readonly onPlaced: (placed: readonly Placed[], movedId: string) => void;
  readonly onEdge: (tile: BoardTile) => void;
  readonly onChoose: (id: string) => void;
  /** Takes keys that are not for the place of a tile. @returns whether it has done something */
  readonly onKey: (tile: BoardTile, event: KeyboardEvent) => boolean;
  readonly children: (tile: BoardTile) => ComponentChildren;
};

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Shows the grid of twelve columns, in which tiles are moved and stretched by mouse, finger and keys. */
export function Grid(props: GridProps) {
  const { tiles } = props;
  const host = useRef<HTMLUListElement>(null);
  const [grid, setGrid] = useState<GridStack>();
  const [failure, setFailure] = useState<unknown>();
  const now = useRef(props);
  now.current = props;
  const refocus = useRef<string | undefined>(undefined);

  useEffect(() => {
    let made: GridStack | undefined;
    let isOver = false;
    import('gridstack').then(({ GridStack: Stack }) => {
      if (isOver || !host.current) return;
      made =
        Stack.init(
          {
            column: COLUMNS,
            cellHeight: ROW,
            margin: GAP,
            mode: 'float',
            auto: false,
            minRow: 4,
            resizable: { handles: 'e,se,s,sw,w' },
          },
          host.current,
        ) ?? undefined;
      made?.on('dragstop resizestop', (_event: Event, element: HTMLElement) =>
        now.current.onPlaced(placesIn(made!), element.dataset.tile ?? ''),
      );
      setGrid(made);
    }, setFailure);
    return () => {
      isOver = true;
      made?.destroy(false);
    };
  }, []);
  if (failure !== undefined) throw failure;

  // A tile that was undone, typed or saved by others is put where it belongs.
  useLayoutEffect(() => {
    if (!grid) return;
    const at = new Map(tiles.map((tile) => [tile._id, tile]));
    const astray = () =>
      grid.engine.nodes.filter(({ id, x, y, w, h }) => {
        const tile = at.get(id ?? '');
        return tile && (tile.x !== x || tile.y !== y || tile.w !== w || tile.h !== h);
      });
    // A tile that is put may push another tile away, which is put in the second round.
    for (let round = 0; round < 2 && astray().length > 0; round += 1) {
      grid.batchUpdate();
      for (const { el, id } of astray()) {
        const { x, y, w, h } = at.get(id!)!;
        if (el) grid.update(el, { x, y, w, h });
      }
      grid.batchUpdate(false);
    }
  }, [grid, tiles]);
  useLayoutEffect(() => {
    if (refocus.current === undefined) return;
    host.current?.querySelector<HTMLElement>(`[data-tile="${refocus.current}"]`)?.focus();
    refocus.current = undefined;
  });

  const press = (tile: BoardTile, event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const step = event.ctrlKey || event.metaKey ? undefined : STEPS[event.key];
    if (!step || !grid) {
      if (props.onKey(tile, event)) event.preventDefault();
      return;
    }
    event.preventDefault();
    const [dx, dy] = step;
    const wanted = event.shiftKey
      ? { ...tile, w: tile.w + dx, h: tile.h + dy }
      : { ...tile, x: tile.x + dx, y: tile.y + dy };
    const room = within(wanted);
    const isWider = event.shiftKey && wanted.x + wanted.w > COLUMNS;
    if (isWider || (room.x === tile.x && room.y === tile.y && room.w === tile.w && room.h === tile.h))
      return props.onEdge(tile);
    const { x, y, w, h } = room;
    refocus.current = tile._id;
    grid.update(event.currentTarget as HTMLElement, { x, y, w, h });
    props.onPlaced(placesIn(grid), tile._id);
  };
  return (
    <ul ref={host} class="grid-stack dash-grid" aria-label={props.label} aria-describedby={props.describedBy}>
      {grid &&
        tiles.map((tile) => (
          <Item
            key={tile._id}
            grid={grid}
            tile={tile}
            label={props.labelOf(tile)}
            isChosen={tile._id === props.chosenId}
            onChoose={() => props.onChoose(tile._id)}
            onKeyDown={(event) => press(tile, event)}
          >
            {props.children(tile)}
          </Item>
        ))}
    </ul>
  );
}

type ItemProps = {
  readonly grid: GridStack;
  readonly tile: BoardTile;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
};

function Item({ grid, tile, label, isChosen, onChoose, onKeyDown, children }: ItemProps) {
  const ref = useRef<HTMLLIElement>(null);
  // A drag ends with a click of which nobody thinks.
  const pressed = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const element = ref.current!;
    const { _id: id, x, y, w, h } = tile;
    grid.makeWidget(element, { id, x, y, w, h });
    return () => {
      grid.removeWidget(element, false, false);
    };
  }, [grid]);
  useEffect(() => {
    if (isChosen) ref.current!.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li
      ref={ref}
      class={isChosen ? 'grid-stack-item is-chosen' : 'grid-stack-item'}
      data-tile={tile._id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: each tile is moved by keys.
      tabIndex={0}
      aria-label={label}
      aria-current={isChosen || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        pressed.current = { x: event.clientX, y: event.clientY };
      }}
      onClick={(event) => {
        const { x, y } = pressed.current ?? { x: event.clientX, y: event.clientY };
        if (Math.hypot(event.clientX - x, event.clientY - y) < 5) onChoose();
      }}
    >
      <div class="grid-stack-item-content">{children}</div>
    </li>
  );
}

const placesIn = ({ engine }: GridStack): readonly Placed[] =>
  engine.nodes.map(({ id = '', x = 0, y = 0, w = 1, h = 1 }) => ({ id, x, y, w, h }));
