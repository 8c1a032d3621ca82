import type { Config } from '../../domain/classes/node.ts';
import {
  followedSources,
  rescheduledReports,
  type StoredChange,
  shownAttachmentParents,
  shownOtherwise,
} from './stored-change.ts';

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
])('sources are announced for %s', (_what, change, sources) => expect(followedSources([change])).toEqual(sources));

test('a source of many Locations is announced once', () =>
  expect(followedSources([change(undefined, FOLLOWS), change({}, FOLLOWS)])).toEqual(['one']));

const DAILY = { schedule: { type: 'DAILY', time: '08:00' } };
const report = (before: Config | undefined, after: Config) => change(before, after, { class: 'Report' });

test.each<[string, StoredChange, string[]]>([
  ['a new report with a schedule', report(undefined, DAILY), ['n']],
  ['a new one without, in a zone', report(undefined, { timezone: 'Europe/Berlin' }), []],
  ['one that gets a schedule', report({}, DAILY), ['n']],
  ['one that loses it', report(DAILY, {}), ['n']],
  ['another time', report(DAILY, { schedule: { type: 'DAILY', time: '09:00' } }), ['n']],
  ['another zone', report(DAILY, { ...DAILY, timezone: 'Europe/Berlin' }), ['n']],
  ['other clocks', report(DAILY, { ...DAILY, timezoneAdjustForDst: false }), ['n']],
  ['another attribute', report(DAILY, { ...DAILY, metadata: [] }), []],
  ['another zone of a node of another class', change({}, { timezone: 'Europe/Berlin' }), []],
])('due times are computed anew for %s', (_what, change, due) => expect(rescheduledReports([change])).toEqual(due));

test('what attachments that come or go lie in is shown anew, once', () => {
  const nodes = [
    { class: 'Attachment', parentId: 'camera' },
    { class: 'Attachment', parentId: 'camera' },
    { class: 'point.NumberPoint', parentId: 'logger' },
    { class: 'Workspace', parentId: null },
  ];
  expect(shownAttachmentParents(nodes)).toEqual(['camera']);
});

test.each<[string, StoredChange, string[]]>([
  ['a node with another multiplier', change({}, { multiplier: 2 }), ['n']],
  ['a node with another name alone', change({ multiplier: 2 }, { multiplier: 2 }), []],
  ['a new node, which is stored with what it shows', change(undefined, { multiplier: 2 }), []],
])('shown values are computed anew or not: %s', (_what, change, stale) =>
  expect(shownOtherwise([change])).toEqual(stale),
);
