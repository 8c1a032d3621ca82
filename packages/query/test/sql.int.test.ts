import { DomainError } from '@catchment/errors';
import { type TestDatabase, testDatabase } from '@catchment/testkit';
import { effectiveZone } from '@catchment/time';
import pg from 'pg';
import {
  type Columns,
  compileFilter,
  compileSort,
  customIdsOf,
  jsonbVariable,
  parseFilter,
  parseSort,
} from '../src/index.ts';

const COLUMNS: Columns = {
  _id: { type: 'objectId', sql: 'n.id', isNodeId: true },
  _class: {
    type: 'string',
    sql: 'n.class',
    words: new Map(
      ['Workspace', 'point.NumberPoint', 'point.TextPoint', 'source.data.Jts'].map((name) => [
        `io.svc.models.node.${name}`,
        name,
      ]),
    ),
  },
  name: { type: 'string', sql: 'n.name' },
  parentId: { type: 'objectId', sql: 'n.parent_id', isNodeId: true },
  ownerId: { type: 'objectId', sql: 'n.id' },
  'links.nodeId': {
    type: 'objectId',
    isNodeId: true,
    each: `jsonb_path_query(n.config, '$.links.nodeId[*]') AS link`,
    sql: `(link #>> '{}')`,
  },
  isActive: { type: 'boolean', sql: 'n.is_active' },
  createdTime: { type: 'time', sql: 'n.created_time' },
  updatedTime: { type: 'time', sql: 'n.updated_ms', store: 'ms' },
  multiplier: { type: 'number', sql: 'n.multiplier' },
  currentValue: jsonbVariable('n.current_value'),
  // A value of a type that no operand has is there all the same.
  oldestValue: { ...jsonbVariable("n.config->'list'"), any: "n.config->'list'" },
  previousValue: { ...jsonbVariable('n.current_value'), only: "n.class LIKE 'point.%'" },
  'states.name': { type: 'string', each: 'jsonb_array_elements(n.states) AS s', sql: "s->>'name'" },
  'states.threshold': { ...jsonbVariable("s->'threshold'"), each: 'jsonb_array_elements(n.states) AS s' },
  config: { type: 'jsonb', sql: 'n.config' },
  'config.simPin': { type: 'hidden' },
  fileUrl: { type: 'hidden' },
  path: {
    type: 'string',
    lastName: 'n.name',
    sortable: false,
    sql: `(WITH RECURSIVE up AS (
      SELECT n.parent_id, n.name AS path
      UNION ALL SELECT p.parent_id, p.name || '/' || up.path FROM up JOIN nodes p ON p.id = up.parent_id
    ) SELECT path FROM up WHERE parent_id IS NULL)`,
  },
  eventTime: { type: 'time', sql: 'n.created_time', filterable: false },
};

const id = (digit: string) => digit.repeat(24);
const ROWS = [
  {
    id: id('a'),
    class: 'Workspace',
    name: 'Battery 100%',
    parent_id: null,
    is_active: true,
    created_time: '2014-01-01T00:00:00.000Z',
    updated_ms: 1_400_000_000_000,
    multiplier: 1.5,
    current_value: '5',
    states: '[{"name":"LOW","threshold":1},{"name":"HIGH","threshold":9}]',
    config:
      '{"speed":9600,"apn":{"host":"Net"},"sent":"2020-01-01T00:00:00.000Z","list":[{"k":"x"},{"k":"y"}],"on":true,"simPin":"1"}',
  },
  {
    id: id('b'),
    class: 'source.data.Jts',
    name: 'battery_b',
    parent_id: id('a'),
    is_active: false,
    created_time: '2015-06-01T00:00:00.000Z',
    updated_ms: null,
    multiplier: null,
    current_value: '"5"',
    states: '[{"name":"NORMAL","threshold":null}]',
    config: '{"speed":"fast","sent":"2021-13-45T00:00:00.000Z","list":[],"empty":""}',
  },
  {
    id: id('c'),
    class: 'point.NumberPoint',
    name: 'a\\b*c',
    parent_id: id('b'),
    is_active: true,
    created_time: '2016-06-01T00:00:00.000Z',
    updated_ms: 1_500_000_000_000,
    multiplier: -2,
    current_value: '{"$time":"2015-01-01T00:00:00.000Z"}',
    states: '[]',
    config: null,
  },
  {
    id: id('d'),
    class: 'point.TextPoint',
    name: '',
    parent_id: id('b'),
    is_active: null,
    created_time: '2017-06-01T00:00:00.000Z',
    updated_ms: 0,
    multiplier: 10,
    current_value: 'true',
    states: '[{"name":"TEXT","threshold":"abc"}]',
    config: `{"speed":115200,"links":[{"nodeId":"${id('a')}"},{"nodeId":"${id('b')}"}]}`,
  },
];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`create table nodes (id text, class text, name text, parent_id text, is_active boolean,
    created_time timestamptz, updated_ms bigint, multiplier double precision, current_value jsonb, states jsonb, config jsonb)`);
  for (const row of ROWS) {
    const names = Object.keys(row);
    const places = names.map((_, i) => `$${i + 1}`).join(', ');
    await client.query(`insert into nodes (${names.join(', ')}) values (${places})`, Object.values(row));
  }
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Returns the first letters of the ids that a filter finds in the order of a sort. */
async function find(filter: string, sort = ''): Promise<string> {
  const params: unknown[] = ['not the filter’s'];
  const where = compileFilter(parseFilter(filter), COLUMNS, params, {
    // The customId of each node here is its letter.
    nodeIdOf: (customId, bind) => `(select c.id from nodes c where left(c.id, 1) = ${bind(customId)}::text)`,
  });
  const order = compileSort(parseSort(sort), COLUMNS, params, { idSql: 'n.id', fallback: parseSort('createdTime') });
  const sql = `select n.id from nodes n where $1::text is not null and ${where} order by ${order}`;
  const { rows } = await client.query<{ id: string }>(sql, params);
  return rows.map((row) => row.id[0]).join('');
}

test.each([
  ['', 'abcd'],
  ['name($eq:battery_b)', 'b'],
  ['name($eq:BATTERY_B)', ''],
  ['name($ne:battery_b)', 'acd'],
  ['name($eq:null)', 'd'],
  ['name($ne:null)', 'abc'],
  ['name($match:BATT)', 'ab'],
  ['name($match:100%)', 'a'],
  ['name($match:y_b)', 'b'],
  ['name($match:y*0)', 'a'],
  ['name($match:%)', 'a'],
  ['name($match:_)', 'b'],
  ['name($match:a\\b)', 'c'],
  ['name($match:\\\\)', 'c'],
  ['name($match:*)', 'abcd'],
  ["name($eq:x' OR TRUE --)", ''],
  ['name($like:battery*)', 'ab'],
  ['name($like:BATTERY_B)', 'b'],
  ['name($like:attery_b)', ''],
  ['name($like:*100%)', 'a'],
  ['name($like:*)', 'abcd'],
  ['_class($like:IO.svc*Jts)', 'b'],
  ['_class($like:io.svc)', ''],
  ['path($like:BATTERY_B)', 'b'],
  ['path($like:attery_b)', ''],
  ['path($like:/battery_b)', ''],
  ['path($like:/Battery 100%/battery_b)', 'b'],
  ['path($like:Battery*/a*c)', 'c'],
  ['path($like:Battery 100%/*/a\\b*)', 'c'],
  ['path($like:battery_b/*)', 'cd'],
  ['path($like:*)', 'abcd'],
  ['path($like:%)', ''],
  ['path($like:/)', ''],
  ['path($match:100%/b)', 'bcd'],
  ['path($eq:Battery 100%)', 'a'],
  ['_class($match:io.svc.models.node.source.data)', 'b'],
  ['_class($match:.point.)', 'cd'],
  ['_class($eq:io.svc.models.node.Workspace)', 'a'],
  ['_class($eq:Workspace)', ''],
  ['_class($ne:io.svc.models.node.Workspace)', 'bcd'],
  ['_class($ne:Workspace)', 'abcd'],
  ['_class($match:SVC*node.*JTS)', 'b'],
  ['_class($match:point*svc)', ''],
  ['_class($match:svc.models.node_)', ''],
  ['_class($match:*)', 'abcd'],
  ['_class($eq:null)', ''],
  ['_class($ne:null)', 'abcd'],
  [`parentId($eq:${id('B')})`, 'cd'],
  [`parentId($ne:${id('b')})`, 'ab'],
  [`parentId($eq:ObjectId(${id('b')}))`, 'cd'],
  ['parentId($eq:null)', 'a'],
  ['isActive($eq:TRUE)', 'ac'],
  ['isActive($ne:true)', 'bd'],
  ['isActive($eq:null)', 'd'],
  ['createdTime($gt:2015-06-01T00:00:00Z)', 'cd'],
  ['createdTime($gte:2015-06-01)', 'bcd'],
  ['createdTime($lt:2015-06-01T10:00:00 1000)', 'a'],
  ['createdTime($lte:Time(2015-06-01T00:00:00Z))', 'ab'],
  ['updatedTime($gte:2014-05-13T16:53:20Z)', 'ac'],
  ['updatedTime($eq:1970-01-01)', 'd'],
  ['updatedTime($ne:1970-01-01)', 'abc'],
  ['multiplier($eq:1.5)', 'a'],
  ['multiplier($gte:Number(1.5))', 'ad'],
  ['multiplier($lt:-1e0)', 'c'],
  ['currentValue($eq:Number(5))', 'a'],
  ['currentValue($ne:Number(5))', 'bcd'],
  ['currentValue($eq:String(5))', 'b'],
  ['currentValue($match:Text(5))', 'b'],
  ['currentValue($eq:Boolean(true))', 'd'],
  ['currentValue($eq:Time(2015-01-01T00:00:00Z))', 'c'],
  ['currentValue($gt:Time(2014-12-31))', 'c'],
  ['currentValue($gt:Number(4))', 'a'],
  ['currentValue($eq:null)', ''],
  ['oldestValue($ne:null)', 'ab'],
  ['oldestValue($eq:null)', 'cd'],
  ['previousValue($eq:Boolean(true))', 'd'],
  ['previousValue($eq:Number(5))', ''],
  ['previousValue($ne:Number(5))', 'bcd'],
  ['oldestValue($eq:Number(1))', ''],
  ['oldestValue($ne:Number(1))', 'abcd'],
  ['states.name($eq:HIGH)', 'a'],
  ['states.name($ne:HIGH)', 'bcd'],
  ['states.name($match:o)', 'ab'],
  ['states.name($eq:null)', 'c'],
  ['states.name($ne:null)', 'abd'],
  ['states.threshold($gt:Number(5))', 'a'],
  ['states.threshold($eq:Text(abc))', 'd'],
  ['states.threshold($eq:null)', 'bc'],
  ['config.speed($eq:9600)', 'a'],
  ['config.speed($eq:9600.0)', 'a'],
  ['config.speed($gt:9600)', 'd'],
  ['config.speed($eq:fast)', 'b'],
  ['config.speed($ne:fast)', 'acd'],
  ['config.speed($match:FAS)', 'b'],
  ['config.apn.host($eq:Net)', 'a'],
  ['config.apn($eq:Net)', ''],
  ['config.sent($gt:2019-06-01)', 'ab'],
  ['config.sent($eq:2020-01-01T00:00Z)', 'a'],
  ['config.list.k($eq:y)', 'a'],
  ['config.list.k($ne:y)', 'bcd'],
  ['config.on($eq:true)', 'a'],
  ['config.empty($eq:null)', 'abcd'],
  ['config.nothing($eq:null)', 'abcd'],
  ["config.a'b($eq:1)", ''],
  ['nothing($eq:1)', ''],
  ['nothing($ne:1)', 'abcd'],
  ['nothing($eq:null)', 'abcd'],
  ['nothing($ne:null)', ''],
  ['nothing($gt:x)', ''],
  ['toString($eq:1)', ''],
  ['name($match:batt),isActive($eq:true)|createdTime($gt:2017-01-01T00:00:00Z)', 'ad'],
])('filter=%s finds %j', async (filter, expected) => {
  expect(await find(filter)).toBe(expected);
});

test.each([
  ['', 'abcd'],
  ['createdTime(DESC)', 'dcba'],
  ['name', 'dacb'], // empty, B, a, b: code points
  ['name(DESC)', 'bcad'],
  ['updatedTime', 'bdac'], // missing first
  ['updatedTime(DESC)', 'cadb'], // missing last
  ['isActive', 'dbac'],
  ['currentValue', 'abdc'], // Number < String < Boolean < Time
  ['currentValue(DESC)', 'cdba'],
  ['states.name', 'cabd'],
  ['states.name(DESC)', 'dbac'],
  ['config.speed', 'cadb'],
  ['config.speed(DESC)', 'bdac'],
  ['nothing(DESC)', 'abcd'],
  ['parentId(DESC),multiplier(DESC)', 'dcba'],
  ['eventTime(DESC)', 'dcba'],
])('sort=%s orders %s', async (sort, expected) => {
  expect(await find('', sort)).toBe(expected);
});

test.each([
  ['multiplier($eq:abc)', 'filter must compare multiplier with a number'],
  ['multiplier($eq:0x10)', 'with a number'],
  ['multiplier($eq:1e999)', 'with a number'],
  ['multiplier($eq:)', 'with a number'],
  ['multiplier($eq:Text(5))', 'with a number'],
  ['name($eq:Number(5))', 'filter must compare name with a text'],
  ['isActive($eq:1)', 'with true or false'],
  ['parentId($eq:@custom)', 'with an ObjectId'],
  ['createdTime($gt:NOW-1D)', 'with an ISO 8601 timestamp'],
  ['createdTime($gt:null)', 'with an ISO 8601 timestamp'],
  ['name($gt:a)', 'filter must use $gt on numbers and times only, not on name'],
  ['_class($gte:a)', 'filter must use $gte on numbers and times only, not on _class'],
  ['_class($eq:Number(5))', 'filter must compare _class with a text'],
  ['isActive($lte:true)', 'must use $lte on numbers and times only'],
  ['multiplier($match:5)', 'filter must use $match on texts only, not on multiplier'],
  ['multiplier($like:5)', 'filter must use $like on texts only, not on multiplier'],
  ['currentValue($gt:5)', 'filter must give a type, such as Number(5), to the value compared with currentValue'],
  ['currentValue($match:5)', 'must give a type'],
  ['currentValue($gt:Text(a))', 'must use $gt on numbers and times only'],
  ['currentValue($eq:Number(a))', 'with a number'],
  ['states.threshold($eq:5)', 'must give a type'],
  ['config.speed($gt:fast)', 'filter must compare config.speed with a number or an ISO 8601 timestamp'],
  ['config.simPin($eq:1)', 'filter must not use config.simPin'],
  ['config.simPin.x($eq:1)', 'filter must not use config.simPin.x'],
  ['fileUrl($ne:null)', 'filter must not use fileUrl'],
  ['eventTime($gt:2015-01-01)', 'filter must not use eventTime'],
])('filter=%s is refused: %s', (filter, message) => {
  const compile = () => compileFilter(parseFilter(filter), COLUMNS, []);
  expect(compile).toThrow(DomainError);
  expect(compile).toThrow(message);
});

test('an attribute that may not be sorted by is refused', () => {
  const compile = () => compileSort(parseSort('config.simPin'), COLUMNS, [], { idSql: 'n.id', fallback: [] });
  expect(compile).toThrow('sort must not use config.simPin');
});

test('operands never become part of the text', () => {
  const params: unknown[] = [];
  const sql = compileFilter(
    parseFilter("name($eq:secret'),multiplier($gt:77),createdTime($lt:2015-01-01),config.path'x($eq:secret)"),
    COLUMNS,
    params,
  );
  expect(sql).not.toMatch(/secret|77|2015|'x/);
  expect(params).toContain("secret'");
});

test('times without a zone are local times of the given zone', () => {
  const params: unknown[] = [];
  const zone = effectiveZone('Australia/Sydney', true, 0);
  compileFilter(parseFilter('createdTime($gt:2015-01-01)'), COLUMNS, params, { zone });
  expect(params).toEqual(['2014-12-31T13:00:00.000Z']);
});

test.each([
  ['parentId($eq:@b)', 'cd'],
  ['parentId($eq:ObjectId(@b))', 'cd'],
  ['_id($eq:@a)|_id($eq:@c)', 'ac'],
  ['parentId($ne:@b)', 'ab'],
  ['links.nodeId($eq:@b)', 'd'],
  ['links.nodeId($ne:@b)', 'abc'],
  // A slip of the pen selects nothing, not everything.
  ['parentId($eq:@nobody)', ''],
  ['parentId($ne:@nobody)', ''],
  ['links.nodeId($ne:@nobody)', ''],
  ['parentId($eq:@)', ''],
  ["parentId($eq:@x' or true --)", ''],
  ['name($eq:@b)', ''],
])('%s: a node by its customId', async (filter, ids) => {
  expect(await find(filter)).toBe(ids);
});

test.each(['ownerId($eq:@b)', 'parentId($match:@b)', 'parentId($gt:@b)', 'parentId($eq:String(@b))'])(
  '%s is refused',
  async (filter) => {
    await expect(find(filter)).rejects.toThrow(DomainError);
  },
);

test('the customIds that a filter names are reported', () => {
  const filter = 'parentId($eq:@b),_id($ne:@c)|links.nodeId($eq:@b),name($eq:@x),ownerId($eq:null),nobody($eq:@y)';
  expect(customIdsOf(parseFilter(filter), COLUMNS)).toEqual(['b', 'c']);
});
