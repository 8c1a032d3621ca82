import {
  changePreferences,
  type GivenPreference,
  type Preference,
  preferencesOf,
  readPreferences,
} from './notification-preference.ts';

const categories = [
  { _id: 'm', name: 'Maintenance', index: 0 },
  { _id: 'c', name: 'Critical', index: 1 },
];
const preference = (categoryId: string, email: boolean, sms: boolean): Preference => ({ categoryId, email, sms });

test.each([
  ['nothing given', [preference('c', true, false)], [], [preference('m', false, false), preference('c', true, false)]],
  [
    'found by name, letter case aside',
    [],
    [{ category: 'CRITICAL', sms: true }],
    [preference('m', false, false), preference('c', false, true)],
  ],
  [
    'what is absent stays',
    [preference('c', true, false)],
    [{ category: 'Critical', sms: true }],
    [preference('m', false, false), preference('c', true, true)],
  ],
  [
    'unknown categories are passed over',
    [],
    [{ category: 'Flood', email: true }],
    [preference('m', false, false), preference('c', false, false)],
  ],
  [
    'the last of two wins',
    [],
    [
      { category: 'Critical', email: true, sms: true },
      { category: 'critical', email: false },
    ],
    [preference('m', false, false), preference('c', false, true)],
  ],
  [
    'stored ones of categories that are gone are left out',
    [preference('x', true, true)],
    [],
    [preference('m', false, false), preference('c', false, false)],
  ],
] as [string, Preference[], GivenPreference[], Preference[]][])('%s', (_what, stored, given, expected) => {
  expect(changePreferences(categories, stored, given)).toEqual(expected);
});

test('without stored preferences nobody hears anything', () => {
  expect(preferencesOf(categories, [])).toEqual([preference('m', false, false), preference('c', false, false)]);
});

test.each([
  ['not a list', {}, 'p: must be an array'],
  ['not objects', ['Critical'], 'p[0]: must be an object'],
  ['no name', [{ email: true }], 'p[0].category: is required'],
  ['no truth value', [{ category: 'Critical', email: 'TRUE' }], 'p[0].email: must be true or false'],
  ['no truth value for sms', [{ category: 'Critical', sms: 1 }], 'p[0].sms: must be true or false'],
  ['too many', Array(1_001).fill({ category: 'a' }), 'p: must have at most 1000 entries'],
])('refuses %s', (_what, value, message) => {
  expect(() => readPreferences(value, 'p')).toThrow(message);
});

test.each([[undefined], [null], [[]]])('%p is none', (value) => {
  expect(readPreferences(value, 'p')).toEqual([]);
});
