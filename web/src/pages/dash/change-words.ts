import type { BoardTile } from '../../data/pages/tiles.ts';
import { formWords } from '../../parts/words-of.ts';
import { tileKey } from './document.ts';
import { tileName } from './tile-name.ts';
import { say } from './words.ts';

/** A tile is named by what people know of it, and not by its ids. */
export function saidOf(value: unknown): unknown {
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

/** Names a changed part of a dashboard for people. */
export function labelOfChange(name: string, tiles: readonly BoardTile[]): string {
  const tile = tiles.find(({ _id }) => tileKey(_id) === name);
  if (tile) return say().tile(tileName(tile));
  if (name === 'place') return say().place;
  return name.startsWith('tile ') ? say().tile('') : formWords().label(name);
}
