import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { changesOf } from './view-changes.ts';

const tile = (id: string, text: string, more: Partial<TileView> = {}): TileView => ({
  id,
  label: '',
  x: 0,
  y: 0,
  w: 1,
  h: 1,
  style: 'default',
  alarm: null,
  content: { type: 'STATIC_TEXT', text },
  ...more,
});
const view = (tiles: TileView[], more: Partial<DashboardView> = {}): DashboardView => ({
  name: 'Page',
  description: '',
  account: { name: 'A', logoUrl: null },
  timezone: 'Etc/UTC',
  adjustForDst: true,
  generatedTime: 'then',
  mapTiles: null,
  tiles,
  ...more,
});

test.each([
  ['nothing, though it was read later', view([tile('a', '1')], { generatedTime: 'now' }), []],
  ['what a tile shows', view([tile('a', '2')]), ['a']],
  ['the paint of a tile', view([tile('a', '1', { alarm: 'ACTIVE' })]), ['a']],
  ['the label of a tile', view([tile('a', '1', { label: 'L' })]), ['a']],
  ['the place of a tile', view([tile('a', '1', { x: 1 })]), 'all'],
  ['another tile', view([tile('a', '1'), tile('b', '1')]), 'all'],
  ['no tile any more', view([]), 'all'],
  ['the name of the page', view([tile('a', '1')], { name: 'Other' }), 'all'],
  ['the zone of the page', view([tile('a', '1')], { timezone: 'Asia/Tokyo' }), 'all'],
] as [string, DashboardView, string[] | 'all'][])('changes: %s', (_what, now, expected) => {
  const changes = changesOf(view([tile('a', '1')]), now);
  expect(changes === 'all' ? 'all' : changes.map(({ id }) => id)).toEqual(expected);
});
