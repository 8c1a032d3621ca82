import type { Alarm } from '../../data/alarms/alarms.ts';
import type { Place } from '../../data/tree/locations.ts';
import { boxOf, boxText, byName, isIn, rowsOf } from './rows.ts';

const place = (name: string, at?: readonly [number, number]): Place => ({
  _id: name,
  name,
  workspaceId: 'w',
  position: at && { latitude: at[0], longitude: at[1] },
});
const alarm = (alarmState: Alarm['alarmState']) => ({ alarmState }) as Alarm;

test('places come by what is to be done there, then by their names, numbers as numbers', () => {
  const alarms = new Map([
    ['Pier 10', [alarm('ACKNOWLEDGED')]],
    ['Weir', [alarm('ACKNOWLEDGED'), alarm('ACTIVE')]],
  ]);
  const rows = rowsOf(
    byName(
      ['Pier 2', 'Weir', 'Pier 10', 'Pier 1'].map((name) => place(name)),
      'en',
    ),
    alarms,
    new Map([['w', 'Coast']]),
  );
  expect(rows.map(({ place: { name }, state, workspace }) => [name, state, workspace])).toEqual([
    ['Weir', 'ACTIVE', 'Coast'],
    ['Pier 10', 'ACKNOWLEDGED', 'Coast'],
    ['Pier 1', 'NORMAL', 'Coast'],
    ['Pier 2', 'NORMAL', 'Coast'],
  ]);
});

test.each<[string, readonly [number, number] | undefined, readonly number[], boolean]>([
  ['inside', [39, -76], [-80, 30, -70, 45], true],
  ['west of it', [39, -90], [-80, 30, -70, 45], false],
  ['north of it', [50, -76], [-80, 30, -70, 45], false],
  ['beyond the date line', [-18, -179], [170, -30, 190, 0], true],
  ['of a map that was turned once more', [39, -76], [280, 30, 290, 45], true],
  ['without a position', undefined, [-180, -90, 180, 90], false],
])(
  'a place is in the part of the map that is seen: %s',
  (_what, at, [west = 0, south = 0, east = 0, north = 0], expected) => {
    expect(isIn(place('x', at), { west, south, east, north })).toBe(expected);
  },
);

test.each<[string | undefined, string | undefined]>([
  ['-77.5,39.1,-76.2,39.9', '-77.5,39.1,-76.2,39.9'],
  [undefined, undefined],
  ['', undefined],
  ['1,2,3', undefined],
  ['5,1,4,2', undefined],
  ['1,-91,4,2', undefined],
  ['1,2,3,x', undefined],
  ['-9999,2,3,4', undefined],
])('the part of the map in an address: %s', (text, expected) => {
  const box = boxOf(text);
  expect(box && boxText(box)).toBe(expected);
});
