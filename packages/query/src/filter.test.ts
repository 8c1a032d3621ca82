import { DomainError } from '@catchment/errors';
import { seedOf } from '@catchment/testkit/amount';
import { compileFilter, parseFilter, parseSort } from './index.ts';

const criterion = (path: string, operator: string, text: string, type?: string) => [
  [{ path, operator, operand: type === undefined ? { text } : { text, type } }],
];

test.each([
  ['name($eq:Site A)', criterion('name', '$eq', 'Site A')],
  ['  name ( $eq :  Site A  ) ', criterion('name', '$eq', 'Site A')],
  ['name($eq:Temp (C))', criterion('name', '$eq', 'Temp (C)')],
  ['name($eq:a((b)c)d)', criterion('name', '$eq', 'a((b)c)d')],
  ['name($eq:a,b|c)', criterion('name', '$eq', 'a,b|c')],
  ['name($eq:a\\)b\\(c\\,d\\|e\\\\f)', criterion('name', '$eq', 'a)b(c,d|e\\f')],
  ['name($eq:C:\\temp)', criterion('name', '$eq', 'C:\\temp')],
  ['name($eq:a:b)', criterion('name', '$eq', 'a:b')],
  ['name($eq:)', criterion('name', '$eq', '')],
  ['name($ne:null)', criterion('name', '$ne', 'null')],
  ['currentValue($gt:Number(5))', criterion('currentValue', '$gt', '5', 'Number')],
  ['currentValue($eq:Text( a (b) ))', criterion('currentValue', '$eq', 'a (b)', 'Text')],
  ['currentValue($eq:String(a)(b))', criterion('currentValue', '$eq', 'String(a)(b)')],
  ['currentValue($eq:number(5))', criterion('currentValue', '$eq', 'number(5)')],
  ['currentValue($eq:Number\\(5\\))', criterion('currentValue', '$eq', 'Number(5)')],
  ['currentValue($eq:Time(2015-01-01T00:00:00Z))', criterion('currentValue', '$eq', '2015-01-01T00:00:00Z', 'Time')],
  [
    'alarms.stateAlarm.status.alarmState($eq:ACTIVE)',
    criterion('alarms.stateAlarm.status.alarmState', '$eq', 'ACTIVE'),
  ],
  ['_class($match:.point.)', criterion('_class', '$match', '.point.')],
  ['metadata.name($eq:Größe 😀)', criterion('metadata.name', '$eq', 'Größe 😀')],
])('%j is parsed', (text, expected) => {
  expect(parseFilter(text)).toEqual(expected);
});

test('the comma binds tighter than the pipe', () => {
  const filter = parseFilter('a($eq:1),b($gt:2) | c($lte:3)');
  expect(filter.map((term) => term.map(({ path, operator }) => path + operator))).toEqual([
    ['a$eq', 'b$gt'],
    ['c$lte'],
  ]);
});

test.each(['', '  '])('%j filters nothing', (text) => {
  expect(parseFilter(text)).toEqual([]);
  expect(compileFilter(parseFilter(text), {}, [])).toBe('TRUE');
});

test.each([
  'name',
  'name(',
  'name)',
  'name()',
  'name(eq:1)',
  'name($eq 1)',
  'name($EQ:1)',
  'name($likes:1)',
  'name($eq:1',
  'name($eq:1))',
  'name($eq:(1)',
  'name($eq:1\\)',
  '($eq:1)',
  '.name($eq:1)',
  'name.($eq:1)',
  'a..b($eq:1)',
  'a b($eq:1)',
  'a"b($eq:1)',
  'a($eq:1)b($eq:2)',
  'a($eq:1),',
  ',a($eq:1)',
  'a($eq:1)||b($eq:2)',
  '(a($eq:1)|b($eq:2)),c($eq:3)',
  'a($eq:\u0000)',
  'a($eq:\ud800)',
  `a($eq:${'x'.repeat(4096)})`,
])('refuses %j', (text) => {
  expect(() => parseFilter(text)).toThrow(DomainError);
  expect(() => parseFilter(text)).toThrow(/^filter must /);
});

test('whatever the text, the answer is a filter or an invalid argument', () => {
  const seed = seedOf('FILTER_SEED');
  let random = seed;
  const pick = (count: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % count;
  };
  const pieces = [
    'name',
    '(',
    ')',
    '$eq',
    ':',
    ',',
    '|',
    '\\',
    '.',
    ' ',
    'Number(',
    'null',
    '$match',
    '*',
    '5',
    'é',
    '\u0000',
    '\ud83d',
    '"',
    "'",
  ];
  let parsed = 0;
  for (let i = 0; i < 10_000; i++) {
    const text = Array.from({ length: pick(16) }, () => pieces[pick(pieces.length)]).join('');
    const nearly = pick(2) === 0 ? `name($eq:${text})` : text;
    for (const act of [
      () => compileFilter(parseFilter(nearly), { name: { type: 'string', sql: 'n' } }, []),
      () => parseSort(nearly),
    ]) {
      try {
        act();
        parsed++;
      } catch (error) {
        if (!(error instanceof DomainError))
          throw new Error(`seed ${seed}: ${JSON.stringify(nearly)}`, { cause: error });
      }
    }
  }
  expect(parsed).toBeGreaterThan(100);
});

test('a text made of parentheses and backslashes takes linear time', () => {
  const takenMs = () => {
    const began = process.threadCpuUsage();
    for (const text of ['('.repeat(4000), '\\'.repeat(4000), 'a($eq:1),'.repeat(450), `a($eq:${'()'.repeat(2000)})`]) {
      try {
        parseFilter(text);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    }
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  };
  // The least of some: a collection of garbage is no work of the parser.
  expect(Math.min(takenMs(), takenMs(), takenMs())).toBeLessThan(500);
});

test.each([
  ['name', [{ path: 'name', direction: 'ASC' }]],
  ['name(DESC)', [{ path: 'name', direction: 'DESC' }]],
  [
    ' createdTime ( desc ) , _id(Asc)',
    [
      { path: 'createdTime', direction: 'DESC' },
      { path: '_id', direction: 'ASC' },
    ],
  ],
  ['alarms.stateAlarm.status.alarmState', [{ path: 'alarms.stateAlarm.status.alarmState', direction: 'ASC' }]],
  ['', []],
])('sort %j', (text, expected) => {
  expect(parseSort(text)).toEqual(expected);
});

test.each(['name(UP)', 'name()', 'name(ASC', 'name,', ',', 'a b', 'name ASC', '.a', 'a\u0000', 'a,'.repeat(30)])(
  'refuses sort %j',
  (text) => {
    expect(() => parseSort(text)).toThrow(/^sort must /);
  },
);
