import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { nameOfTile, pageState } from './page-state.ts';

const text = (id: string, more: Partial<TileView> = {}): TileView => ({
  id,
  label: id,
  x: 0,
  y: 0,
  w: 1,
  h: 1,
  style: 'default',
  alarm: null,
  content: { type: 'STATIC_TEXT', text: '' },
  ...more,
});
const view = (tiles: TileView[], more: Partial<DashboardView> = {}): DashboardView => ({
  name: 'View',
  description: '',
  account: { name: '', logoUrl: null },
  timezone: 'Etc/UTC',
  adjustForDst: true,
  generatedTime: '2018-06-22T15:00:00.000Z',
  mapTiles: null,
  tiles,
  ...more,
});

test('a tile that is the same again is not drawn again', () => {
  const state = pageState(view([text('a'), text('b')]), () => 0);
  const before = state.tileOf('a').value;
  state.takeTile(text('a'));
  state.takeView(view([text('a'), text('b', { label: 'B' })]));
  expect(state.tileOf('a').value).toBe(before);
  expect(state.tileOf('b').value.label).toBe('B');
});

test('a tile that no view has named is left out', () => {
  const state = pageState(view([text('a')]), () => 0);
  state.takeTile(text('b'));
  expect(state.tileOf('b')).toBeUndefined();
});

test('changes of alarms are announced, other ones are not', () => {
  const state = pageState(view([text('a')]), () => 0);
  state.takeTile(text('a', { label: 'Level' }));
  expect(state.announcement.value).toBe('');
  state.takeTile(text('a', { label: 'Level', alarm: 'ACTIVE' }));
  expect(state.announcement.value).toBe('Level: alarm active');
  state.takeTile(text('a', { label: 'Level' }));
  expect(state.announcement.value).toBe('Level: no alarm any more');
});

test('the time is that of the server, whatever the clock of the device says', () => {
  let own = 5_000;
  const state = pageState(view([]), () => own);
  expect(state.nowMs.value).toBe(Date.parse('2018-06-22T15:00:00Z'));
  own += 10_000;
  state.tick();
  expect(state.nowMs.value).toBe(Date.parse('2018-06-22T15:00:10Z'));
  state.takeView(view([], { generatedTime: 'nonsense' }));
  expect(state.clock()).toBe(Date.parse('2018-06-22T15:00:10Z'));
});

test.each([
  ['its label', text('a', { label: 'Label' }), 'Label'],
  ['its kind', text('a', { label: '' }), 'Text'],
  [
    'the name of its node',
    text('a', { label: '', content: { type: 'ALARM_SUMMARY', name: 'River', period: '', counts: [] } }),
    'River',
  ],
  ['its kind, where the node is gone', text('a', { label: '', content: { type: 'VALUE', parameter: null } }), 'Value'],
])('a tile is called by %s', (_what, tile, expected) => {
  expect(nameOfTile(tile)).toBe(expected);
});
