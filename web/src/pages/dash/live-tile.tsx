import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSeen } from '../../components/use-seen.ts';
import { previewData, previewTiles } from '../../data/pages/page-preview.ts';
import { type BoardTile, isComplete, kindOf } from '../../data/pages/tiles.ts';
import { attributeOf, isRefusal } from '../../data/requests/failures.ts';
import { onNodes } from '../../data/streams/live.ts';
import type { PageState } from '../../live/page-state.ts';
import type { Get } from '../../live/requests.ts';
import { formWords } from '../../parts/words-of.ts';
import { Icon } from '../../ui/icon.tsx';
import { errorText } from '../../words/error-text.ts';
import { showsSame } from './document.ts';
import { readable } from './readable.ts';
import { say } from './words.ts';

/** Somebody who types is not asked about every letter. */
const REST_MS = 350;
/** Values of many nodes come at once. */
const NEWS_REST_MS = 2_000;

type Failure = { readonly message: string; readonly path?: string; readonly isRefused: boolean };

type LiveTileProps = {
  readonly boardId: string;
  readonly tile: BoardTile;
  readonly name: string;
  /** Hears what the server says of it; undefined where nothing is wrong. */
  readonly onRefused?: (refused: { readonly message: string; readonly path?: string } | undefined) => void;
};

/** Shows a tile as its dashboard would show it, with what is not saved yet; it follows the values of its nodes. */
export function LiveTile({ boardId, tile, name, onRefused }: LiveTileProps) {
  const host = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(host);
  // The place of a tile does not matter for what it shows.
  const asked = useStable(tile);
  const [failure, setFailure] = useState<Failure>();
  const [news, setNews] = useState(0);
  const state = useRef<PageState | undefined>(undefined);
  const drawn = useRef('');
  const isWhole = isComplete(asked);
  const ids = useMemo(() => new Set(asked.links.map(({ nodeId }) => nodeId)), [asked]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onNodes((news) => {
      const id = news.kind === 'node' ? news.node._id : news.kind === 'removed' ? news.id : undefined;
      if (id === undefined || ids.has(id)) timer ??= setTimeout(() => setNews((n) => n + 1), NEWS_REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [ids, news]);

  useEffect(() => {
    if (!isSeen || !isWhole) {
      state.current = undefined;
      setFailure(undefined);
      onRefused?.(undefined);
      return;
    }
    const stop = new AbortController();
    const ask = async () => {
      try {
        const view = await previewTiles(boardId, [{ ...asked, x: 0, y: 0 }], stop.signal);
        if (stop.signal.aborted) return;
        setFailure(undefined);
        onRefused?.(undefined);
        const [first] = view.tiles;
        if (!first) return;
        // A tile that shows something else has other lines and rows.
        const key = JSON.stringify([asked.type, asked.links, asked.config]);
        if (state.current && drawn.current === key) state.current.takeView(view);
        else {
          // The parts of a tile come with the first tile. It reads what is shown when it is asked.
          const { showTile } = await import('./tile-room.tsx');
          if (stop.signal.aborted || !host.current) return;
          drawn.current = key;
          state.current = showTile(host.current, view, (url, signal) => latest.current(url, signal));
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        const path = attributeOf(error)?.replace(/^tiles\[0\]\.?/, '');
        const problem = { message: errorText(error), ...(path !== undefined && { path }) };
        setFailure({ ...problem, isRefused: isRefusal(error) });
        onRefused?.(isRefusal(error) ? problem : undefined);
      }
    };
    const timer = setTimeout(() => void ask(), state.current === undefined ? 0 : REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [boardId, asked, isSeen, isWhole, news]);
  const latest = useRef<Get>(() => Promise.reject(new Error('nothing is shown')));
  latest.current = <T,>(url: string, signal: AbortSignal) =>
    previewData<T>(boardId, { ...asked, x: 0, y: 0 }, argumentsOf(url), signal);

  useEffect(() => {
    const element = host.current!;
    return () => {
      void import('./tile-room.tsx').then(({ clearTile }) => clearTile(element));
    };
  }, []);

  return (
    <>
      <div ref={host} class={isWhole ? 'live-tile' : 'live-tile is-hidden'} inert />
      {!isWhole && (
        <div class="tile-note">
          <strong dir="auto">{name}</strong>
          <span>{kindOf(tile.type).min > 0 ? say().unfinished : ''}</span>
        </div>
      )}
      {isWhole && failure && (
        <div class="tile-note is-bad">
          <Icon name="warning" />
          <span>{`${failure.isRefused ? say().refused : say().previewFailed} ${readable(failure, formWords().label)}`}</span>
        </div>
      )}
    </>
  );
}

/** Returns the part of an address that says what of the tile is asked for. */
function argumentsOf(url: string): Record<string, string> {
  const given = new URL(url, location.origin).searchParams;
  const names = ['start', 'end', 'width', 'height'];
  return Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)!]] : [])));
}

/** Returns the same tile for as long as it shows the same. */
function useStable(tile: BoardTile): BoardTile {
  const kept = useRef(tile);
  if (!showsSame(kept.current, tile)) kept.current = tile;
  return kept.current;
}
