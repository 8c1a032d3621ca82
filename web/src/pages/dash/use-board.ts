import { useMemo } from 'preact/hooks';
import type { Node } from '../../data/nodes/nodes.ts';
import type { BoardTile } from '../../data/pages/tiles.ts';
import { type DraftKind, useKeptDraft } from '../../parts/kept-draft.ts';
import { bodyOf, documentOf, refusedTile, tileKey, tilesOf } from './document.ts';

type Refusal = { readonly message: string; readonly tileId?: string; readonly path?: string };

const BOARD: DraftKind = { key: 'dashboard', documentOf: (node) => documentOf(node as never), bodyOf };

export type Board = ReturnType<typeof useBoard>;

/** Holds a dashboard while it is edited. */
export function useBoard(node: Node) {
  const draft = useKeptDraft(node, BOARD);
  const { document, refusal: refused } = draft;
  const tiles = useMemo(() => tilesOf(document), [document]);
  const refusal = useMemo((): Refusal | undefined => {
    if (!refused) return undefined;
    const tile = refused.path === undefined ? undefined : refusedTile(refused.path, tiles);
    return { message: refused.message, ...(tile && { tileId: tile.id, path: tile.path }) };
  }, [refused]);
  return {
    ...draft,
    tiles,
    refusal,
    put: (tile: BoardTile, about?: string) => draft.edit({ [tileKey(tile._id)]: tile }, about),
    remove: (tileId: string) => draft.edit({ [tileKey(tileId)]: null }),
  };
}
