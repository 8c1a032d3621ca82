import type { Config } from '../../domain/classes/node.ts';
import { followedSources, type StoredChange } from './stored-change.ts';

const change = (before: Config | undefined, after: Config, more: object = {}): StoredChange => ({
  ...(before && { before: { config: before } }),
  after: { nodeId: 'n', ownerId: 'o', class: 'location.Location', parentId: 'p', config: after, ...more },
});

const FOLLOWS = { coordinateSourceId: 'one', coordinateSeries: { latitude: 'lat', longitude: 'lon' } };

test.each<[string, StoredChange, string[]]>([
  ['a new Location that follows a source', change(undefined, FOLLOWS), ['one']],
  ['a new one that follows none', change(undefined, { metadata: [] }), []],
  ['one that begins to follow', change({}, FOLLOWS), ['one']],
  ['one that ceases to', change(FOLLOWS, {}), ['one']],
  ['one that follows another source', change(FOLLOWS, { ...FOLLOWS, coordinateSourceId: 'two' }), ['one', 'two']],
  ['other series', change(FOLLOWS, { ...FOLLOWS, coordinateSeries: { latitude: 'lat', longitude: 'long' } }), ['one']],
  ['series without a source', change({}, { coordinateSeries: FOLLOWS.coordinateSeries }), []],
  [
    'the same, written otherwise',
    change(FOLLOWS, { coordinateSeries: { longitude: 'lon', latitude: 'lat' }, coordinateSourceId: 'one' }),
    [],
  ],
  ['another attribute', change(FOLLOWS, { ...FOLLOWS, timezone: 'Etc/UTC' }), []],
])('sources are announced for %s', (_what, one, sources) => expect(followedSources([one])).toEqual(sources));

test('a source of many Locations is announced once', () =>
  expect(followedSources([change(undefined, FOLLOWS), change({}, FOLLOWS)])).toEqual(['one']));
