import { type BoardTile, inRows } from '../../data/pages/tiles.ts';
import { type Document, isSame } from '../../ui/form/draft.ts';

/**
 * An edited dashboard has `name`, `description`, and each tile under its own key, so that two people who change different tiles are in
 * nobody's way.
 */
const TILE = 'tile ';

export const tileKey = (id: string): string => `${TILE}${id}`;

type Board = {
  readonly name: string;
  readonly description?: string | null;
  readonly tiles?: readonly BoardTile[];
};

export const documentOf = ({ name, description, tiles = [] }: Board): Document => ({
  name,
  description: description ?? '',
  ...Object.fromEntries(tiles.map((tile) => [tileKey(tile._id), tile])),
});

/** Returns its tiles row by row, as the tab key walks through them. */
export const tilesOf = (document: Document): readonly BoardTile[] =>
  inRows(
    Object.entries(document).flatMap(([key, value]) =>
      key.startsWith(TILE) && value !== null && value !== undefined ? [value as BoardTile] : [],
    ),
  );

/** Makes the body of an update: all tiles, where one of them is another. */
export function bodyOf(changes: Document, document: Document): Document {
  const names = Object.keys(changes);
  return {
    ...(names.includes('name') && { name: document.name }),
    ...(names.includes('description') && { description: document.description }),
    ...(names.some((name) => name.startsWith(TILE)) && { tiles: tilesOf(document) }),
  };
}

/** Finds the tile that a refusal such as `tiles[3].links` names, and the attribute of it. */
export function refusedTile(
  path: string,
  tiles: readonly BoardTile[],
): { readonly id: string; readonly path: string } | undefined {
  const [, index, rest = ''] = /^tiles\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const tile = index === undefined ? undefined : tiles[Number(index)];
  return tile && { id: tile._id, path: rest };
}

/** Returns whether two tiles show the same, wherever they stand. */
export const showsSame = (a: BoardTile, b: BoardTile): boolean => isSame(shown(a), shown(b));
const shown = ({ x: _x, y: _y, w: _w, h: _h, ...tile }: BoardTile): Document => tile;
