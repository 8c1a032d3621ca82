import { useEffect, useRef, useState } from 'preact/hooks';
import { dashboardAddress } from '../data/addresses.ts';
import { raised } from '../data/alarms.ts';
import {
  type Board,
  type BoardPicture,
  boardPicture,
  isValueTile,
  pin,
  pinned,
  type Tile,
} from '../data/dashboards.ts';
import { onNodes } from '../data/live.ts';
import { useAsked } from '../data/use-asked.ts';
import { valueText } from '../data/values.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';
import { arrange, COLUMNS } from './arrange.ts';
import { useSeen } from './use-seen.ts';

/** A dashboard as a small picture of itself, live, that leads to it. */
export function BoardCard({ board }: { readonly board: Board }) {
  const { overview } = words.value;
  const isPinned = pinned.value.includes(board._id);
  const label = isPinned ? overview.unpin(board.name) : overview.pin(board.name);
  const toggle = () => pin(board._id, !isPinned).catch((error) => toast(errorText(error), { isBad: true }));
  return (
    <article class="board">
      <a class="board-link" href={dashboardAddress(board._id)}>
        <Picture board={board} />
        <span class="board-name" dir="auto">
          {board.name}
        </span>
        {board.description ? (
          <span class="board-text" dir="auto">
            {board.description}
          </span>
        ) : null}
      </a>
      <Button
        look="bare"
        icon="pin"
        class="board-pin"
        aria-label={label}
        title={label}
        aria-pressed={isPinned}
        onClick={toggle}
      />
    </article>
  );
}

const AFTER_NEWS_MS = 1_500;

function Picture({ board: { _id, name } }: { readonly board: Board }) {
  const { overview } = words.value;
  const ref = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(ref);
  const [news, setNews] = useState(0);
  const { value } = useAsked(
    async (): Promise<BoardPicture | undefined> => (isSeen ? boardPicture(_id) : undefined),
    [_id, isSeen, news],
  );
  useEffect(() => {
    if (value === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onNodes((one) => {
      const id = one.kind === 'node' ? one.node._id : one.kind === 'removed' ? one.id : undefined;
      if (id === undefined || id === _id || value.values.has(id))
        timer ??= setTimeout(() => setNews((n) => n + 1), AFTER_NEWS_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [value]);
  const tiles = value?.tiles ?? [];
  return (
    <div ref={ref} class="board-picture" role="img" aria-label={overview.picture(name, overview.tiles(tiles.length))}>
      {value && <Tiles picture={value} />}
    </div>
  );
}

/** Rows of a dashboard that a small picture has room for. */
const ROWS = 8;

function Tiles({ picture: { tiles, values } }: { readonly picture: BoardPicture }) {
  const places = arrange(tiles);
  const { value } = raised;
  const alarms = new Map(value.kind === 'ready' ? value.alarms.map((one) => [one.nodeId, one.alarmState]) : []);
  return (
    <>
      {tiles.map((tile, i) => {
        const { x, y, w, h } = places[i]!;
        if (y >= ROWS) return null;
        const alarm = tile.links?.map(({ nodeId = '' }) => alarms.get(nodeId)).find((one) => one !== undefined);
        return (
          <span
            key={i}
            class={`mini of-${tile.type.toLowerCase().replaceAll('_', '-')}`}
            data-alarm={alarm}
            style={{
              left: `${(100 * x) / COLUMNS}%`,
              width: `${(100 * w) / COLUMNS}%`,
              top: `${(100 * y) / ROWS}%`,
              height: `${(100 * Math.min(h, ROWS - y)) / ROWS}%`,
            }}
          >
            <MiniContent tile={tile} values={values} />
          </span>
        );
      })}
    </>
  );
}

/** A value, or the outline of what is there. */
function MiniContent({ tile, values }: { readonly tile: Tile; readonly values: BoardPicture['values'] }) {
  if (isValueTile(tile)) {
    const node = values.get(tile.links?.[0]?.nodeId ?? '');
    return <b>{(node && valueText(node)) ?? '–'}</b>;
  }
  const path = OUTLINES[tile.type];
  return path === undefined ? (
    <i>{tile.label}</i>
  ) : (
    <svg viewBox="0 0 40 20" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}

const OUTLINES: Readonly<Record<string, string>> = {
  STANDARD_CHART: 'M2 15 8 11 13 13 19 5 25 12 31 9 38 11',
  CUSTOM_CHART: 'M2 15 8 11 13 13 19 5 25 12 31 9 38 11',
  HISTORIC_TABLE: 'M3 5h34M3 10h34M3 15h34',
  VALUE_LIST: 'M3 5h34M3 10h34M3 15h34',
  ALARM_SUMMARY: 'M3 5h28M3 10h16M3 15h22',
  ALARMS: 'M3 5h28M3 10h16M3 15h22',
  LOCATION_MAP: 'M2 16c6-9 10-3 15-8s9 2 21-5',
};
