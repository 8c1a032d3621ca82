import { DomainError } from '@catchment/errors';
import { defaultStates, type StatesFamily, type StatesUpdate, toStatesConfig, updateStates } from './index.ts';

const CATEGORY = 'c'.repeat(24);
const deps = () => {
  let made = 0;
  return {
    newId: () => (++made).toString(16).padStart(24, '0'),
    hasCategory: (id: string) => id === CATEGORY,
  };
};
const apply = (family: StatesFamily, update: StatesUpdate) =>
  updateStates(family, defaultStates(family, deps().newId), update, deps());
const NORMAL = { name: 'NORMAL' };
const RANGE = [{ name: 'LOW', threshold: 2 }, NORMAL, { name: 'HIGH', threshold: 8, isAlarm: true }];
const twoSided = () => apply('NUMBER', { states: RANGE });

test.each([
  ['NUMBER', 'RANGE', ['NORMAL']],
  ['BOOLEAN', 'DISCRETE', ['TRUE', 'FALSE']],
  ['TEXT', 'DISCRETE', []],
  ['NONE', '', []],
] as const)('defaults of %s are %s %j', (family, statesType, names) => {
  const states = defaultStates(family, deps().newId);
  expect(states.statesType).toBe(statesType);
  expect(states.states.map(({ name }) => name)).toEqual(names);
});

test('a list without ids replaces all states and fills in the defaults', () => {
  const { states } = twoSided();
  expect(states).toEqual([
    expect.objectContaining({ index: 0, name: 'LOW', threshold: 2 }),
    expect.objectContaining({ index: 1, name: 'NORMAL', threshold: null }),
    {
      _id: '0'.repeat(23) + '3',
      index: 2,
      name: 'HIGH',
      threshold: 8,
      occurrences: 1,
      isAlarm: true,
      notify: 'NEVER',
      categoryId: null,
      messageAway: '',
      messageTowards: '',
      qualityCode: null,
      description: '',
    },
  ]);
});

test('entries with an id change those states, entries without are ignored, ids and order stay', () => {
  const before = twoSided();
  const high = before.states[2]!;
  const after = updateStates(
    'NUMBER',
    before,
    {
      states: [
        { _id: high._id.toUpperCase(), threshold: 9, name: 'TOO HIGH' },
        { name: 'NEW', threshold: 20 },
      ],
    },
    deps(),
  );
  expect(after.states.map(({ name, threshold, _id }) => [name, threshold, _id])).toEqual([
    ['LOW', 2, before.states[0]!._id],
    ['NORMAL', null, before.states[1]!._id],
    ['TOO HIGH', 9, high._id],
  ]);
  expect(after.states[2]!.isAlarm).toBe(true);
});

test('null restores the defaults of the family', () => {
  const changed = apply('NUMBER', { statesType: 'DISCRETE', states: [{ name: 'ON', threshold: 1 }] });
  const restored = updateStates('NUMBER', changed, { states: null }, deps());
  expect([restored.statesType, restored.states.map(({ name }) => name)]).toEqual(['RANGE', ['NORMAL']]);
});

test('another type without states gives the defaults of that type', () => {
  const toDiscrete = updateStates('NUMBER', twoSided(), { statesType: 'discrete' }, deps());
  expect(toDiscrete).toEqual({ statesType: 'DISCRETE', states: [], hysteresis: 0 });
  expect(updateStates('NUMBER', toDiscrete, { statesType: 'RANGE' }, deps()).states).toHaveLength(1);
});

test('an update that names no states leaves them', () => {
  const before = twoSided();
  expect(updateStates('NUMBER', before, {}, deps())).toEqual(before);
  expect(updateStates('NUMBER', before, { statesType: 'RANGE', hysteresis: 0.5 }, deps())).toEqual({
    ...before,
    hysteresis: 0.5,
  });
});

test('null in an entry resets the attribute', () => {
  const before = twoSided();
  const entry = {
    _id: before.states[2]!._id,
    isAlarm: null,
    occurrences: null,
    notify: null,
    qualityCode: null,
    messageAway: null,
  };
  expect(updateStates('NUMBER', before, { states: [entry] }, deps()).states[2]).toMatchObject({
    isAlarm: false,
    occurrences: 1,
  });
});

test('time parameters and Locations take no states, but nothing is not refused', () => {
  expect(apply('NONE', { states: null }).states).toEqual([]);
  expect(apply('NONE', { states: [] }).states).toEqual([]);
  expect(() => apply('NONE', { states: RANGE })).toThrow('states is not supported');
  expect(() => apply('NONE', { statesType: 'RANGE' })).toThrow('statesType is not supported');
  expect(() => apply('NONE', { hysteresis: 1 })).toThrow('hysteresis is not supported');
});

test('the configuration that evaluation takes has thresholds by family', () => {
  expect(toStatesConfig(twoSided()).states[0]).toMatchObject({ threshold: 2, name: 'LOW' });
  expect(toStatesConfig(twoSided()).states[1]).not.toHaveProperty('threshold');
  const text = apply('TEXT', { states: [{ name: 'BAD', threshold: '/x/', qualityCode: 3 }] });
  expect(toStatesConfig(text).states[0]).toMatchObject({ textThreshold: '/x/', qualityCode: 3 });
});

const high = (more: object) => ({ states: [NORMAL, { name: 'HIGH', threshold: 8, ...more }] });
test.each<[string, StatesFamily, StatesUpdate, RegExp]>([
  ['RANGE on text', 'TEXT', { statesType: 'RANGE' }, /^statesType must be DISCRETE/],
  ['unknown type', 'NUMBER', { statesType: 'OTHER' }, /^statesType must be one of RANGE, DISCRETE/],
  ['type of another type', 'NUMBER', { statesType: 1 }, /^statesType/],
  ['no list', 'NUMBER', { states: {} }, /^states must be an array/],
  ['no object', 'NUMBER', { states: [1] }, /^states\[0\] must be an object/],
  [
    'too many',
    'TEXT',
    { states: Array.from({ length: 101 }, (_, i) => ({ name: `n${i}`, threshold: `t${i}` })) },
    /at most 100/,
  ],
  ['empty RANGE', 'NUMBER', { states: [] }, /^states must contain exactly one state named NORMAL/],
  ['no NORMAL', 'NUMBER', { states: [{ name: 'A', threshold: 1 }] }, /exactly one state named NORMAL/],
  ['two NORMAL', 'NUMBER', { states: [NORMAL, NORMAL] }, /^states\[1\].name must be unique/],
  [
    'NORMAL with threshold',
    'NUMBER',
    { states: [{ name: 'NORMAL', threshold: 1 }] },
    /^states\[0\].threshold must not/,
  ],
  ['NORMAL as alarm', 'NUMBER', { states: [{ name: 'NORMAL', isAlarm: true }] }, /^states\[0\].isAlarm/],
  [
    'NORMAL with AWAY',
    'NUMBER',
    { states: [{ name: 'NORMAL', notify: 'AWAY_FROM_NORMAL', categoryId: CATEGORY }] },
    /NEVER or ALWAYS/,
  ],
  [
    'descending',
    'NUMBER',
    { states: [{ name: 'A', threshold: 3 }, NORMAL, { name: 'B', threshold: 2 }] },
    /^states\[2\].threshold must be above/,
  ],
  [
    'same name',
    'NUMBER',
    { states: [NORMAL, { name: 'a', threshold: 1 }, { name: 'A', threshold: 2 }] },
    /^states\[2\].name must be unique/,
  ],
  [
    'same threshold',
    'NUMBER',
    {
      statesType: 'DISCRETE',
      states: [
        { name: 'a', threshold: 1 },
        { name: 'b', threshold: 1 },
      ],
    },
    /^states\[1\].threshold must be unique/,
  ],
  ['no name', 'TEXT', { states: [{ threshold: 'x' }] }, /^states\[0\].name must be 1-60/],
  ['blank name', 'TEXT', { states: [{ name: '  ', threshold: 'x' }] }, /1-60 characters/],
  ['long name', 'TEXT', { states: [{ name: 'x'.repeat(61), threshold: 'x' }] }, /1-60 characters/],
  ['no threshold', 'NUMBER', high({ threshold: undefined }), /^states\[1\].threshold must be a number/],
  ['text for number', 'NUMBER', high({ threshold: '8' }), /^states\[1\].threshold must be a number/],
  [
    'infinite',
    'NUMBER',
    high({ threshold: Number.POSITIVE_INFINITY }),
    /^states\[1\].threshold must be a finite number/,
  ],
  ['number for text', 'TEXT', { states: [{ name: 'A', threshold: 1 }] }, /^states\[0\].threshold must be a text/],
  ['empty text', 'TEXT', { states: [{ name: 'A', threshold: '' }] }, /^states\[0\].threshold must be a text/],
  ['broken expression', 'TEXT', { states: [{ name: 'A', threshold: '/(/' }] }, /valid regular expression/],
  ['backreference', 'TEXT', { states: [{ name: 'A', threshold: '/(a)\\1/' }] }, /valid regular expression/],
  [
    'expressions that are huge together',
    'TEXT',
    { states: ['a', 'b', 'c'].map((name) => ({ name, threshold: `/${name}{400}/` })) },
    /together they are too large/,
  ],
  ['huge expression', 'TEXT', { states: [{ name: 'A', threshold: '/[a-z]{999}/' }] }, /not too large/],
  ['occurrences 0', 'NUMBER', high({ occurrences: 0 }), /^states\[1\].occurrences must be a whole number 1-15/],
  ['occurrences 16', 'NUMBER', high({ occurrences: 16 }), /1-15/],
  ['occurrences 1.5', 'NUMBER', high({ occurrences: 1.5 }), /1-15/],
  ['alarm as text', 'NUMBER', high({ isAlarm: 'TRUE' }), /^states\[1\].isAlarm must be true or false/],
  ['unknown notify', 'NUMBER', high({ notify: 'SOMETIMES' }), /^states\[1\].notify must be one of/],
  ['notify without category', 'NUMBER', high({ notify: 'ALWAYS' }), /^states\[1\].categoryId is required/],
  ['unknown category', 'NUMBER', high({ categoryId: 'd'.repeat(24) }), /^states\[1\].categoryId must be the id/],
  ['malformed category', 'NUMBER', high({ categoryId: 'x' }), /^states\[1\].categoryId must be the id/],
  [
    'long message',
    'NUMBER',
    high({ messageAway: 'x'.repeat(256) }),
    /^states\[1\].messageAway must be a text of at most 255/,
  ],
  ['quality 65536', 'NUMBER', high({ qualityCode: 65_536 }), /^states\[1\].qualityCode must be a whole number 0-65535/],
  [
    'unknown id',
    'NUMBER',
    { states: [{ _id: 'f'.repeat(24), name: 'A' }] },
    /^states\[0\]._id must be the id of a state/,
  ],
  ['id of another type', 'NUMBER', { states: [{ _id: 5 }] }, /^states\[0\]._id/],
  ['negative hysteresis', 'NUMBER', { hysteresis: -1 }, /^hysteresis must be a number of 0 or above/],
  ['hysteresis on DISCRETE', 'TEXT', { hysteresis: 1 }, /^hysteresis must be 0 unless/],
])('refuses: %s', (_what, family, update, message) => {
  expect(() => apply(family, update)).toThrow(message);
  expect(() => apply(family, update)).toThrow(DomainError);
});

test.each<[string, number, object, RegExp]>([
  ['renaming NORMAL', 1, { name: 'OK' }, /^states\[0\].name must stay NORMAL/],
  ['renaming to NORMAL', 0, { name: 'NORMAL' }, /.+/],
  ['a threshold for NORMAL', 1, { threshold: 5 }, /must not be given for NORMAL/],
  ['a low state above a high one', 0, { threshold: 9 }, /must be above the one before it/],
  ['a high state below a low one', 2, { threshold: 1 }, /must be above the one before it/],
  ['no threshold any more', 2, { threshold: null }, /must be a number/],
])('refuses in an update by id: %s', (_what, index, change, message) => {
  const before = twoSided();
  const update = { states: [{ _id: before.states[index]!._id, ...change }] };
  expect(() => updateStates('NUMBER', before, update, deps())).toThrow(message);
});

test('one id twice in an update is refused', () => {
  const before = twoSided();
  const entry = { _id: before.states[2]!._id, threshold: 9 };
  expect(() => updateStates('NUMBER', before, { states: [entry, entry] }, deps())).toThrow(
    /^states\[1\]._id must be unique/,
  );
});
