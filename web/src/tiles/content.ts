import type { TileContent } from '@catchment/dashboard-view';

/** A tile of one type gets these. */
export type TileProps<Type extends TileContent['type']> = {
  readonly content: Extract<TileContent, { type: Type }>;
  /** The name of the tile, for what has no other name. */
  readonly name: string;
};
