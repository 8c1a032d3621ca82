import { changed, changesOf, clean, differenceOf, documentOf, forBody, isSame, partOf, rebased } from './draft.ts';
import { longTime, numberOf } from './numbers.ts';
import { fieldOf, fieldsOf, HIDDEN, type JsonSchema, type Schemas } from './schema.ts';

const SCHEMAS: Schemas = {
  Tcp: {
    type: 'object',
    properties: {
      _class: { type: 'string', enum: ['transport.Tcp'] },
      host: { type: 'string' },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
    },
    required: ['_class', 'host'],
  },
  None: { type: 'object', properties: { _class: { type: 'string', enum: ['transport.None'] } } },
  Alarm: {
    type: ['object', 'null'],
    properties: { config: { type: ['object', 'null'], properties: { isEnabled: { type: ['boolean', 'null'] } } } },
  },
  Many: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `a${n}`,
        { anyOf: [{ $ref: '#/components/schemas/Many' }, { type: 'null' }] },
      ]),
    ),
  },
  Itself: { type: 'object', properties: { more: { $ref: '#/components/schemas/Itself' } } },
};
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const kind = (schema: JsonSchema) => fieldOf('a', schema, SCHEMAS).shape.kind;

test.each<[string, JsonSchema, string]>([
  ['a text', { type: ['string', 'null'] }, 'text'],
  ['a number', { type: 'number' }, 'number'],
  ['a choice', { type: ['string', 'null'], enum: ['A', 'B', null] }, 'choice'],
  ['a time', { type: 'string', format: 'date-time' }, 'time'],
  [
    'a word or a time',
    {
      anyOf: [
        {
          anyOf: [
            { type: 'string', enum: ['ALL'] },
            { type: 'string', format: 'date-time' },
          ],
        },
        { type: 'null' },
      ],
    },
    'text',
  ],
  ['a secret', { anyOf: [{ enum: [HIDDEN] }, { type: 'string' }, { type: 'null' }] }, 'secret'],
  ['a list', { type: ['array', 'null'], items: { type: 'string' } }, 'list'],
  ['an object by its name', ref('Alarm'), 'object'],
  ['an object with a hint of its own', { allOf: [ref('Alarm')], description: 'How.' }, 'object'],
  ['one of several classes', { anyOf: [ref('None'), ref('Tcp'), { type: 'null' }] }, 'oneOf'],
  ['a number or a text', { type: ['number', 'string', 'object', 'null'] }, 'scalar'],
  ['a number or a text as alternatives', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'scalar'],
  ['anything', {}, 'json'],
])('%s has a field of its kind', (_what, schema, expected) => {
  expect(kind(schema)).toBe(expected);
});

test('of null it is known that it resets, and a schema that names itself ends', () => {
  expect(fieldOf('a', { anyOf: [ref('Tcp'), { type: 'null' }] }, SCHEMAS)).toMatchObject({
    isNullable: true,
    shape: { kind: 'object' },
  });
  expect(fieldOf('a', ref('Itself'), SCHEMAS).shape).toMatchObject({
    fields: [{ name: 'more', shape: { kind: 'json' } }],
  });
  expect(fieldsOf(ref('Tcp'), SCHEMAS).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['host', true],
    ['port', false],
  ]);
});

const BASE = { name: 'Gauge', units: 'm', states: [{ name: 'HIGH', threshold: 5 }] };
test('what is typed back is no change', () => {
  const draft = changed(clean(BASE, '1'), 'units', 'ft');
  expect(changesOf(draft)).toEqual([{ name: 'units', before: 'm', after: 'ft' }]);
  expect(documentOf(draft)).toEqual({ ...BASE, units: 'ft' });
  expect(changesOf(changed(draft, 'units', 'm'))).toEqual([]);
  // An attribute that is absent is null.
  expect(changesOf(changed(clean(BASE, '1'), 'customId', null))).toEqual([]);
});

test.each([
  ['only they have changed it', { units: 'ft' }, { name: 'Theirs' }, { units: 'ft' }, []],
  ['both have changed it alike', { units: 'ft' }, { units: 'ft' }, {}, []],
  [
    'both have changed it differently',
    { units: 'ft', name: 'Mine' },
    { units: 'cm' },
    { units: 'ft', name: 'Mine' },
    [{ name: 'units', base: 'm', theirs: 'cm', mine: 'ft' }],
  ],
])('over what somebody else has saved meanwhile: %s', (_what, changes, theirs, left, conflicts) => {
  const newer = { ...BASE, ...theirs };
  expect(rebased({ base: BASE, revision: '1', changes }, newer, '2')).toEqual({
    draft: { base: newer, revision: '2', changes: left },
    conflicts,
  });
});

test('a body has what the schema knows, of the class that was chosen', () => {
  const transport = fieldOf('transport', { anyOf: [ref('None'), ref('Tcp')] }, SCHEMAS);
  expect(forBody({ _class: 'transport.Tcp', host: 'a', port: 1, status: 'read-only' }, transport)).toEqual({
    _class: 'transport.Tcp',
    host: 'a',
    port: 1,
  });
  expect(forBody(undefined, transport)).toBeNull();
  const alarms = fieldOf('alarms', { type: 'object', properties: { a: ref('Alarm'), b: ref('Alarm') } }, SCHEMAS);
  const before = { a: { status: {}, config: { isEnabled: true } }, b: { config: { isEnabled: true } } };
  const after = { ...before, b: { config: { isEnabled: false } } };
  expect(differenceOf(forBody(before, alarms), forBody(after, alarms))).toEqual({
    b: { config: { isEnabled: false } },
  });
});

test.each([
  [{ a: 1, b: null }, { a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, true],
  [[], {}, false],
  ['1', 1, false],
])('%j and %j are the same: %s', (a, b, expected) => {
  expect(isSame(a, b)).toBe(expected);
});

test.each([
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['−3', -3],
  [' 1e-3 ', 0.001],
  ['1,234.5', undefined],
  ['1.2.3', undefined],
  ['five', undefined],
  ['', undefined],
])('%j is read as %s', (text, expected) => {
  expect(numberOf(text)).toBe(expected);
});

test.each([
  [59, ''],
  [5_400, '1\u00a0h 30\u00a0min'],
  [90_061, '1\u00a0d 1\u00a0h 1\u00a0min 1\u00a0s'],
])('%d seconds are "%s"', (seconds, expected) => {
  expect(longTime(seconds)).toBe(expected);
});

test('of a list of named entries is shown what is different, with its name', () => {
  const [low, high] = [
    { _id: '1', name: 'LOW', threshold: 1, notify: 'NEVER' },
    { _id: '2', name: 'HIGH', threshold: 5 },
  ];
  const moved = [low, { ...high, threshold: 6 }];
  expect([partOf(moved, [low, high]), partOf([low, high], moved)]).toEqual([
    [{ name: 'HIGH', threshold: 5 }],
    [{ name: 'HIGH', threshold: 6 }],
  ]);
  expect(partOf([low], [low, { name: 'NEW', threshold: 9 }])).toEqual([{ name: 'NEW', threshold: 9 }]);
  expect(partOf([{ a: 1, b: 2 }], [{ a: 1, b: 3 }])).toEqual([{ b: 3 }]);
  expect(partOf([1, 2], [1, 3])).toEqual([1, 3]);
  // A text is shown by the lines from the first to the last that differ.
  const [short, long] = ['a\nb\nc', 'a\nB\nx\nc'];
  expect([partOf(long, short), partOf(short, long)]).toEqual(['2: b', '2: B\n3: x']);
  expect([partOf('a\na', 'a'), partOf('a', 'a\na')]).toEqual(['', '2: a']);
  expect([partOf('a\nb', ''), partOf('', 'a\nb')]).toEqual(['', '1: a\n2: b']);
  expect(partOf('m', 'ft')).toBe('ft');
});
