import { useEffect, useRef, useState } from 'preact/hooks';
import { dashboardAddress } from '../data/addresses.ts';
import { raised } from '../data/alarms/alarms.ts';
import type { Node } from '../data/nodes/nodes.ts';
import {
  type Board,
  type BoardPicture,
  boardPicture,
  isLineTile,
  isValueTile,
  LIST_ROWS,
  pin,
  pinned,
  type Tile,
} from '../data/pages/dashboards.ts';
import { isLate } from '../data/records/staleness.ts';
import { valueText } from '../data/records/values.ts';
import { useAsked } from '../data/requests/use-asked.ts';
import { onNodes } from '../data/streams/live.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';
import { arrange, COLUMNS } from './arrange.ts';
import { MiniLine } from './mini-line.tsx';
import { useSeen } from './use-seen.ts';

/** Shows a dashboard as a small picture of itself, live, that leads to it. */
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
    const stop = onNodes((news) => {
      const id = news.kind === 'node' ? news.node._id : news.kind === 'removed' ? news.id : undefined;
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

/** A small picture has room for this many rows of a dashboard. */
const ROWS = 8;

function Tiles({ picture: { tiles, values } }: { readonly picture: BoardPicture }) {
  const places = arrange(tiles);
  const { value } = raised;
  const alarms = new Map(value.kind === 'ready' ? value.alarms.map((alarm) => [alarm.nodeId, alarm.alarmState]) : []);
  return (
    <>
      {tiles.map((tile, i) => {
        const { x, y, w, h } = places[i]!;
        if (y >= ROWS) return null;
        const alarm = tile.links?.map(({ nodeId = '' }) => alarms.get(nodeId)).find((state) => state !== undefined);
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

/** Shows a value, or the outline of what is there. */
function MiniContent({ tile, values }: { readonly tile: Tile; readonly values: BoardPicture['values'] }) {
  const linked = (tile.links ?? []).flatMap(({ nodeId = '' }) => values.get(nodeId) ?? []);
  const [first] = linked;
  if (isValueTile(tile)) return <b class={first && isOld(first) ? 'is-old' : undefined}>{textOf(first)}</b>;
  if (tile.type === 'VALUE_LIST' && first)
    return (
      <span class="mini-list">
        {linked.slice(0, LIST_ROWS).map((node) => (
          <b key={node._id} class={isOld(node) ? 'is-old' : undefined}>
            {textOf(node)}
          </b>
        ))}
      </span>
    );
  if (isLineTile(tile) && first)
    return <MiniLine node={first} period={tile.config?.period} outline={OUTLINES.STANDARD_CHART!} />;
  const path = OUTLINES[tile.type];
  return path === undefined ? (
    <i>{tile.label}</i>
  ) : (
    <svg
      class="is-outline"
      viewBox="0 0 40 20"
      preserveAspectRatio={tile.type === 'LOCATION_MAP' ? 'xMidYMid' : 'none'}
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}

/** A value without its time is not shown. */
const textOf = (node: Node | undefined): string =>
  (node && typeof node.currentTime === 'string' && valueText(node)) || '–';

function isOld({ currentTime, chart }: Node): boolean {
  const { expectedIntervalSeconds } = (chart ?? {}) as { expectedIntervalSeconds?: number | null };
  return typeof currentTime === 'string' && isLate(currentTime, expectedIntervalSeconds);
}

const OUTLINES: Readonly<Record<string, string>> = {
  STANDARD_CHART: 'M2 15 8 11 13 13 19 5 25 12 31 9 38 11',
  CUSTOM_CHART: 'M2 15 8 11 13 13 19 5 25 12 31 9 38 11',
  HISTORIC_TABLE: 'M3 5h34M3 10h34M3 15h34',
  VALUE_LIST: 'M3 5h34M3 10h34M3 15h34',
  ALARM_SUMMARY: 'M3 5h28M3 10h16M3 15h22',
  ALARMS: 'M3 5h28M3 10h16M3 15h22',
  LOCATION_MAP: 'M20 18c-4-5-6-7-6-10a6 6 0 0 1 12 0c0 3-2 5-6 10ZM20 6v4',
};
