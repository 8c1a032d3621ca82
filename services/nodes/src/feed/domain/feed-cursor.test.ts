import { cursorText, type FeedCursor, nextOf, oldestOf, parseCursor } from './feed-cursor.ts';

const view = 'abcdefghijklmn-_';
const after = { createdMs: 1_700_000_000_000, nodeId: '6'.repeat(24) };

test.each<[string, FeedCursor]>([
  ['after a snapshot', { view, atSeconds: 1_700_000_000, from: '10:14:10,12' }],
  ['within changes', { view, atSeconds: 1_700_000_000, from: '10:14:', rest: { to: '20:20:', after } }],
  ['within all nodes', { view, atSeconds: 0, from: undefined, rest: { to: '20:20:', after } }],
  ['before 1970', { view, atSeconds: 1, from: '1:1:', rest: { to: '2:2:', after: { ...after, createdMs: -5 } } }],
])('a place %s is written and read', (_what, cursor) => {
  expect(parseCursor(cursorText(cursor))).toEqual(cursor);
});

test.each([
  '',
  '4711',
  `${view}.x.`,
  `${view}.x.10:14`,
  `${view}.x.10:14:;DROP`,
  `${view}.x.10:14:.20:20:.5`,
  `short.x.10:14:`,
  `${view}.x.10:14:${'1,'.repeat(3_000)}`,
])('%.40s is no place', (text) => {
  expect(parseCursor(text)).toBeUndefined();
});

test('the bounds of a snapshot', () => {
  expect([oldestOf('10:14:10,12'), nextOf('10:14:10,12')]).toEqual([10n, 14n]);
});
