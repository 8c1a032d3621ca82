import type { TileContent } from '@catchment/dashboard-view';

/** What a tile of one type is given. */
export type TileProps<Type extends TileContent['type']> = {
  readonly content: Extract<TileContent, { type: Type }>;
  /** Of the tile, for what has no name of its own. */
  readonly name: string;
};
