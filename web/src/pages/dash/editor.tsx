import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dashboardAddress } from '../../data/addresses.ts';
import { client } from '../../data/client.ts';
import { type DraggedNode, draggedNode, isNodeDrag } from '../../data/node-drag.ts';
import type { Node } from '../../data/nodes.ts';
import { type BoardTile, freeRoom, kindOf, MOST_TILES, newTileId, type TileType, tileFor } from '../../data/tiles.ts';
import { DraftHead, DraftTrouble } from '../../parts/draft-head.tsx';
import { formWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { errorText } from '../../words/error-text.ts';
import { AddTile } from './add-tile.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { tileKey } from './document.ts';
import { Grid, type Placed } from './grid.tsx';
import { LiveTile } from './live-tile.tsx';
import { readable } from './readable.ts';
import { ShareDialog } from './share-dialog.tsx';
import { tileName } from './tile-name.ts';
import { type Refused, TilePanel } from './tile-panel.tsx';
import { useBoard } from './use-board.ts';
import { say } from './words.ts';

type Open = { readonly kind: 'add' } | { readonly kind: 'share' } | { readonly kind: 'copy'; readonly tile: BoardTile };

/** Below it, tiles stand one below the other, as on the live page, and are put by their numbers. */
const WIDE = '(width >= 50rem)';

/** The room of a dashboard that is being made: what can be done with all of it, its tiles, and what is set of the chosen one. */
export function Editor({ node }: { readonly node: Node }) {
  const text = say();
  const board = useBoard(node);
  const { tiles } = board;
  const [chosenId, setChosen] = useState<string>();
  const [open, setOpen] = useState<Open>();
  const [said, setSaid] = useState('');
  const [refused, setRefused] = useState<ReadonlyMap<string, Refused>>(new Map());
  const room = useRef<HTMLElement>(null);
  const isWide = useMedia(WIDE);
  const chosen = tiles.find(({ _id }) => _id === chosenId);
  const labelOf = (tile: BoardTile) =>
    text.tileAt(tileName(tile), text.types[tile.type], tile.x + 1, tile.y + 1, tile.w, tile.h);

  const add = (type: TileType, found?: DraggedNode) => {
    if (tiles.length >= MOST_TILES) return toast(text.full(MOST_TILES), { isBad: true });
    const tile: BoardTile = {
      _id: newTileId(),
      type,
      label: '',
      style: 'default',
      showAlarms: type === 'VALUE',
      config: {},
      ...freeRoom(tiles, kindOf(type).size),
      links: found && kindOf(type).max > 0 ? [{ nodeId: found._id, name: found.name }] : [],
    };
    board.put(tile);
    setChosen(tile._id);
    setSaid(`${text.added(tileName(tile))} ${labelOf(tile)}`);
  };
  const take = async (found: DraggedNode) => {
    try {
      const { workspaceId } = await client.nodes.get(found._id, { attr: 'workspaceId' });
      if (workspaceId !== undefined && workspaceId !== node.workspaceId) throw new Error(text.otherWorkspace);
      add(tileFor(found._class), found);
    } catch (error) {
      toast(error instanceof Error && error.message === text.otherWorkspace ? error.message : errorText(error), {
        isBad: true,
      });
    }
  };
  const remove = (tile: BoardTile) => {
    const next = tiles[tiles.indexOf(tile) + 1] ?? tiles[tiles.indexOf(tile) - 1];
    board.remove(tile._id);
    setChosen(undefined);
    setSaid(text.removed(tileName(tile)));
    toast(text.removed(tileName(tile)), { action: { label: text.undo, run: board.undo } });
    focusTile(next?._id);
  };
  const double = (tile: BoardTile) => {
    if (tiles.length >= MOST_TILES) return toast(text.full(MOST_TILES), { isBad: true });
    const copy = { ...tile, ...freeRoom(tiles, tile), _id: newTileId() };
    board.put(copy);
    setChosen(copy._id);
    setSaid(`${text.added(tileName(copy))} ${labelOf(copy)}`);
  };
  const focusTile = (id: string | undefined) =>
    requestAnimationFrame(() =>
      (
        room.current?.querySelector<HTMLElement>(`[data-tile="${id}"]`) ??
        room.current?.querySelector<HTMLElement>('.dash-add')
      )?.focus(),
    );
  const placed = (all: readonly Placed[], movedId: string) => {
    const at = new Map(all.map((tile) => [tile.id, tile]));
    const changes = tiles.flatMap((tile) => {
      const { x, y, w, h } = at.get(tile._id) ?? tile;
      const isThere = x === tile.x && y === tile.y && w === tile.w && h === tile.h;
      return isThere ? [] : [[tileKey(tile._id), { ...tile, x, y, w, h }] as const];
    });
    if (changes.length === 0) return;
    board.edit(Object.fromEntries(changes));
    const moved = tiles.find(({ _id }) => _id === movedId);
    if (moved) setSaid(labelOf({ ...moved, ...at.get(movedId)! }));
  };
  const onKey = (tile: BoardTile, { key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey) return false;
    if (key === 'Enter' || key === ' ') setChosen(tile._id);
    else if (key === 'Delete' || key === 'Backspace') remove(tile);
    else if (key === 'd') double(tile);
    else return false;
    return true;
  };
  const refuse = (id: string, problem: Refused | undefined) =>
    setRefused((before) => {
      if (problem === undefined && !before.has(id)) return before;
      const next = new Map(before);
      if (problem) next.set(id, problem);
      else next.delete(id);
      return next;
    });
  // A tile that the server refused is where the person looks first.
  useLayoutEffect(() => {
    if (board.refusal?.tileId !== undefined) setChosen(board.refusal.tileId);
  }, [board.refusal]);

  const problemOf = (tile: BoardTile): Refused | undefined =>
    board.refusal?.tileId === tile._id ? board.refusal : refused.get(tile._id);
  const close = () => {
    const id = chosenId;
    setChosen(undefined);
    focusTile(id);
  };
  const liveOf = (tile: BoardTile) => (
    <LiveTile boardId={node._id} tile={tile} name={tileName(tile)} onRefused={(problem) => refuse(tile._id, problem)} />
  );
  return (
    <section
      ref={room}
      class={chosen ? 'page dash-page has-panel' : 'page dash-page'}
      aria-labelledby="title"
      onDragOver={(event) => {
        if (!isNodeDrag(event)) return;
        event.preventDefault();
        room.current!.dataset.over = '';
      }}
      onDragLeave={(event) => {
        if (!room.current!.contains(event.relatedTarget as globalThis.Node | null)) delete room.current!.dataset.over;
      }}
      onDrop={(event) => {
        delete room.current!.dataset.over;
        const found = draggedNode(event);
        if (!found) return;
        event.preventDefault();
        void take(found);
      }}
    >
      <DraftHead
        node={node}
        draft={board}
        text={text}
        first={
          <Button class="dash-add" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
            {text.add}
          </Button>
        }
        last={
          <a class="button is-quiet" href={dashboardAddress(node._id)} target="_blank" rel="noreferrer">
            {text.view}
          </a>
        }
        onShare={() => setOpen({ kind: 'share' })}
      />
      <DraftTrouble
        draft={board}
        refusal={board.refusal && readable(board.refusal, formWords().label)}
        words={{ ...formWords(), label: (name) => labelOfChange(name, tiles) }}
        saidOf={saidOf}
      />
      <p id="dash-keys" class={isWide && tiles.length > 0 ? 'dash-keys' : 'unseen'}>
        {text.gridKeys}
      </p>
      <div class="dash-room">
        {tiles.length === 0 && (
          <EmptyState
            icon="boards"
            title={text.nothing}
            action={
              <Button look="main" icon="plus" onClick={() => setOpen({ kind: 'add' })}>
                {text.add}
              </Button>
            }
          >
            {text.nothingText}
          </EmptyState>
        )}
        {isWide ? (
          <Grid
            label={text.grid}
            describedBy="dash-keys"
            tiles={tiles}
            chosenId={chosenId}
            labelOf={labelOf}
            onPlaced={placed}
            onEdge={(tile) => setSaid(text.edge(tileName(tile)))}
            onChoose={setChosen}
            onKey={onKey}
          >
            {liveOf}
          </Grid>
        ) : (
          <ul class="dash-column" aria-label={text.grid}>
            {tiles.map((tile) => (
              <li key={tile._id} data-kind={tile.type}>
                <div class="dash-column-tile">{liveOf(tile)}</div>
                <Button data-tile={tile._id} icon="pencil" onClick={() => setChosen(tile._id)}>
                  {text.editOf(tileName(tile))}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {chosen && (
          <TilePanel
            key={chosen._id}
            tile={chosen}
            name={tileName(chosen)}
            problem={problemOf(chosen)}
            live={isWide ? undefined : liveOf(chosen)}
            onChange={board.put}
            onClose={close}
            onDouble={() => double(chosen)}
            onCopy={() => setOpen({ kind: 'copy', tile: chosen })}
            onRemove={() => remove(chosen)}
          />
        )}
      </div>
      <p class="unseen" aria-live="polite">
        {said}
      </p>
      {open?.kind === 'add' && (
        <AddTile
          workspaceId={String(node.workspaceId ?? '')}
          onClose={() => setOpen(undefined)}
          onAdd={(type, found) => {
            setOpen(undefined);
            add(type, found);
          }}
        />
      )}
      {open?.kind === 'copy' && <CopyDialog tile={open.tile} from={node} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'share' && (
        <ShareDialog node={node} isUnsaved={board.count > 0} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}

/** A tile is named by what people know of it, and not by its ids. */
function saidOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type, label, x, y, w, h, links, config, style } = value as BoardTile;
  const names = links.map(({ name }) => name ?? '…').join(', ');
  return {
    type: say().types[type],
    label,
    place: `${x + 1}/${y + 1}, ${w} × ${h}`,
    links: names,
    style,
    ...config,
  };
}

function labelOfChange(name: string, tiles: readonly BoardTile[]): string {
  const tile = tiles.find(({ _id }) => tileKey(_id) === name);
  if (tile) return say().tile(tileName(tile));
  if (name === 'place') return say().place;
  return name.startsWith('tile ') ? say().tile('') : formWords().label(name);
}
