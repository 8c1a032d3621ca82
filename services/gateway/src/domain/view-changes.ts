import type { DashboardView, TileView } from '@catchment/dashboard-view';

/**
 * Returns what has changed of a page since it was shown.
 * @returns the tiles that show something else; 'all': the page itself is another
 */
export function changesOf(before: DashboardView, now: DashboardView): readonly TileView[] | 'all' {
  if (frameOf(before) !== frameOf(now)) return 'all';
  return now.tiles.filter((tile, i) => JSON.stringify(tile) !== JSON.stringify(before.tiles[i]));
}

/** Returns all but what tiles show, and the time at which it was read. */
function frameOf({ tiles, generatedTime: _read, ...page }: DashboardView): string {
  return JSON.stringify([page, tiles.map(({ id, x, y, w, h }) => [id, x, y, w, h])]);
}
