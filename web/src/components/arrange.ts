import type { TileView } from '@catchment/dashboard-view';

export const COLUMNS = 12;
/** Rows that nothing stands in are kept as space, but not whole screens of them. */
const MOST_EMPTY_ROWS = 2;

export type Place = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/**
 * Places tiles on the wide grid where their dashboard says, except that no tile covers another one (the later one moves down) and that long
 * runs of empty rows are shortened.
 */
export function arrange(tiles: readonly Pick<TileView, 'x' | 'y' | 'w' | 'h'>[]): Place[] {
  const placed: Place[] = [];
  for (const tile of tiles) {
    const w = Math.min(Math.max(tile.w, 1), COLUMNS);
    const x = Math.min(Math.max(tile.x, 0), COLUMNS - w);
    const h = Math.max(tile.h, 1);
    let y = Math.max(tile.y, 0);
    for (;;) {
      const inTheWay = placed.filter((other) => covers({ x, y, w, h }, other));
      if (inTheWay.length === 0) break;
      y = Math.min(...inTheWay.map((other) => other.y + other.h));
    }
    placed.push({ x, y, w, h });
  }
  return withoutEmptyRows(placed);
}

const covers = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

function withoutEmptyRows(places: readonly Place[]): Place[] {
  const downwards = [...places].sort((a, b) => a.y - b.y);
  const rises = new Map<Place, number>();
  let bottom = 0;
  let rise = 0;
  for (const place of downwards) {
    // Space above the first row has no use.
    const kept = bottom === 0 && rises.size === 0 ? 0 : MOST_EMPTY_ROWS;
    rise += Math.max(0, place.y - bottom - kept);
    rises.set(place, rise);
    // The bottom is in rows of the dashboard, as all others here.
    bottom = Math.max(bottom, place.y + place.h);
  }
  return places.map((place) => ({ ...place, y: place.y - (rises.get(place) ?? 0) }));
}

/** Returns how many of the two columns of narrower screens a tile takes; tiles flow in their order there. */
export const spanOfTwo = (w: number): number => (w <= 6 ? 1 : 2);

/** Returns how many of the six columns of paper a tile takes. */
export const spanOfSix = (w: number): number => (w <= 3 ? 2 : w <= 6 ? 3 : 6);
