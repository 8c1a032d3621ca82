import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import {
  type BoardTile,
  freeRoom,
  kindOf,
  MOST_TILES,
  newTileId,
  type TileType,
  tileFor,
} from '../../data/pages/tiles.ts';
import { client } from '../../data/requests/client.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { tileKey } from './document.ts';
import type { Placed } from './grid.tsx';
import { tileName } from './tile-name.ts';
import { useBoard } from './use-board.ts';
import { useRefusals } from './use-refusals.ts';
import { say } from './words.ts';

export type EditorState = ReturnType<typeof useEditor>;

/** Holds the tiles of a dashboard, which of them is chosen and what was said of it; and adds, moves and removes them. */
export function useEditor(node: Node) {
  const text = say();
  const board = useBoard(node);
  const { tiles } = board;
  const [chosenId, choose] = useState<string>();
  const [said, setSaid] = useState('');
  const { refuse, problemOf } = useRefusals(board);
  const room = useRef<HTMLElement>(null);
  // A tile that the server refused is where the person looks first.
  useLayoutEffect(() => {
    if (board.refusal?.tileId !== undefined) choose(board.refusal.tileId);
  }, [board.refusal]);
  const focusTile = (id: string | undefined) =>
    requestAnimationFrame(() =>
      (
        room.current?.querySelector<HTMLElement>(`[data-tile="${id}"]`) ??
        room.current?.querySelector<HTMLElement>('.dash-add')
      )?.focus(),
    );
  const put = (tile: BoardTile) => {
    board.put(tile);
    choose(tile._id);
    setSaid(`${text.added(tileName(tile))} ${labelOf(tile)}`);
  };
  const add = (type: TileType, found?: DraggedNode) => {
    if (tiles.length >= MOST_TILES) return toast(text.full(MOST_TILES), { isBad: true });
    put({
      _id: newTileId(),
      type,
      label: '',
      style: 'default',
      showAlarms: type === 'VALUE',
      config: {},
      ...freeRoom(tiles, kindOf(type).size),
      links: found && kindOf(type).max > 0 ? [{ nodeId: found._id, name: found.name }] : [],
    });
  };
  const take = async (found: DraggedNode) => {
    try {
      const { workspaceId } = await client.nodes.get(found._id, { attr: 'workspaceId' });
      if (workspaceId !== undefined && workspaceId !== node.workspaceId)
        return toast(text.otherWorkspace, { isBad: true });
      add(tileFor(found._class), found);
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  const remove = (tile: BoardTile) => {
    const next = tiles[tiles.indexOf(tile) + 1] ?? tiles[tiles.indexOf(tile) - 1];
    board.remove(tile._id);
    choose(undefined);
    setSaid(text.removed(tileName(tile)));
    toast(text.removed(tileName(tile)), { action: { label: text.undo, run: board.undo } });
    focusTile(next?._id);
  };
  const double = (tile: BoardTile) => {
    if (tiles.length >= MOST_TILES) return toast(text.full(MOST_TILES), { isBad: true });
    put({ ...tile, ...freeRoom(tiles, tile), _id: newTileId() });
  };
  const place = (all: readonly Placed[], movedId: string) => {
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
  const close = () => {
    choose(undefined);
    focusTile(chosenId);
  };
  const chosen = tiles.find(({ _id }) => _id === chosenId);
  const acts = { add, take, remove, double, place };
  return { node, board, room, chosenId, chosen, choose, close, said, setSaid, refuse, problemOf, ...acts };
}

/** Names a tile with its kind and its place. */
export const labelOf = (tile: BoardTile): string =>
  say().tileAt(tileName(tile), say().types[tile.type], { ...tile, column: tile.x + 1, row: tile.y + 1 });
