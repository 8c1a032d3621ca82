import type { TileContent } from '@catchment/dashboard-view';

/** What a tile of one type is given. */
export type TileProps<Type extends TileContent['type']> = {
  readonly content: Extract<TileContent, { type: Type }>;
  /** The name of the tile, for what has no other name. */
  readonly name: string;
};
