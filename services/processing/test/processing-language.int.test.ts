import { DomainError } from '@catchment/errors';
import type { Family } from '../src/domain/program.ts';
import { type Given, MINUTE_MS, openSandbox, START_MS, textsOf, valuesOf } from './processing-language-harness.ts';

const { sandbox, run, analyse, close, logged } = openSandbox();
afterAll(close);
const never = new AbortController().signal;

const A: Given = { inputs: { A: { values: [2, 4], qualities: [149, undefined], newestMs: START_MS + 5 * MINUTE_MS } } };
const AB: Given = { inputs: { A: { values: [2, 4] }, B: { values: [10, undefined] } } };

describe('what a program reads', () => {
  test.each<[what: string, code: string, given: Given, values: unknown[]]>([
    [
      'a reference used as a value',
      "return NUMBER('A') * 2 + NUMBER('B')",
      { inputs: { A: { values: [2] }, B: { values: [10] } } },
      [14],
    ],
    ['a reference returned as it is', "return NUMBER('A')", A, [2, 4]],
    ['a reference in a comparison', "return NUMBER('A') > 3 ? 1 : 0", A, [0, 1]],
    ['a reference in a function of Math', "return Math.sqrt(NUMBER('A'))", { inputs: { A: { values: [16] } } }, [4]],
    ['a reference in JSON', "return JSON.stringify({ a: NUMBER('A') }) === '{\"a\":2}' ? 1 : 0", A, [1, 0]],
    ['a reference in a text', "return ('' + NUMBER('A') + String(NUMBER('A'))).length", A, [2, 2]],
    [
      'an input without a value is undefined',
      "return NUMBER('B').currentValue === undefined && NUMBER('A') > 0 ? 1 : 0",
      AB,
      [0, 1],
    ],
    ['currentTime of an input', "return NUMBER('A').currentTime - NOW", A, [0, 0]],
    ['currentQuality of an input', "return NUMBER('A').currentQuality || -1", A, [149, -1]],
    ['newestTime of an input', "return (NUMBER('A').newestTime - NOW) / 60000", A, [5, 4]],
    ['attributes by dot', "return NODE('A').name.length + THIS.units.length", A, [2, 2]],
    [
      'attributes that are not there',
      "return NODE('A').nothing === undefined && !('x' in NODE('A')) ? 1 : 0",
      A,
      [1, 1],
    ],
    ['the node itself', 'return THIS.name === "This" ? 1 : 0', {}, [1]],
    [
      'SOURCE and WORKSPACE as values are their names',
      "return SOURCE + ',' + WORKSPACE === 'Station,Basin' ? 1 : 0",
      {},
      [1],
    ],
    [
      'LOCATION as a value is its coordinates',
      "return LOCATION.currentValue[0] + Number(String(LOCATION).split(',')[1])",
      {},
      [65.9],
    ],
    [
      'a Location by its path',
      "return NODE('../Here').currentValue[1]",
      { inputs: { '../Here': { values: [[1, 2]], family: 'COORDINATES' } } },
      [2],
    ],
    [
      'a Location as a text',
      "return '' + NODE('L') === '1,2' ? 1 : 0",
      { inputs: { L: { values: [[1, 2]], family: 'COORDINATES' } } },
      [1],
    ],
    [
      'BOOLEAN',
      "return BOOLEAN('A').currentValue === true ? 7 : BOOLEAN('A').currentValue === false ? 8 : 9",
      { inputs: { A: { values: [1, 0, 3] } } },
      [7, 8, 7],
    ],
    [
      'TEXT',
      "return TEXT('S').currentValue.length + (TEXT('S') + '!').length",
      { inputs: { S: { values: ['abc'], family: 'TEXT' } } },
      [7],
    ],
    ['TIME', "return T(TIME('S')).year()", { inputs: { S: { values: [START_MS], family: 'TIME' } } }, [2024]],
    [
      'NODES',
      "return NODES('../L.*').length * 100 + NODES('../L.*').map(Number).reduce(function (a, b) { return a + b })",
      { inputs: { '../L.*': [{ values: [3] }, { values: [4] }] } },
      [207],
    ],
    ['NODES without any', "return NODES('x.*').length", { inputs: { 'x.*': [] } }, [0]],
    [
      'an aggregate',
      "return NUMBER('Rain;TOTAL;D+9H;1D')",
      { inputs: { 'Rain;TOTAL;D+9H;1D': { values: [12.5] } } },
      [12.5],
    ],
    [
      'a path that is made of texts',
      "var site = '../Site'; return NUMBER(site + '/' + `Level`)",
      { inputs: { '../Site/Level': { values: [5] } } },
      [5],
    ],
    ['AUTH does nothing at run time', "return AUTH('slug', 'key') === undefined ? 1 : 0", {}, [1]],
    [
      'LOCATION with records',
      'return LOCATION.currentValue[0] + LOCATION.currentTime - NOW',
      { location: { values: [[7, 8]] } },
      [7],
    ],
  ])('%s', async (_what, code, given, values) => {
    const result = await run(code, given);
    expect([textsOf(result), valuesOf(result)]).toEqual([[], values]);
  });
});

describe('time', () => {
  const berlin = { name: 'Europe/Berlin', adjustsForDst: true };
  const standard = { name: 'Europe/Berlin', adjustsForDst: false };
  const SUMMER = Date.UTC(2024, 6, 1, 12);
  test.each<[what: string, code: string, zone: Given['zone'], text: string]>([
    ['T(NOW) in winter', 'return T(NOW).format()', berlin, '2024-01-15T11:00:00+01:00'],
    ['T() is T(NOW)', 'return T().format()', berlin, '2024-01-15T11:00:00+01:00'],
    ['T of milliseconds in summer', `return T(${SUMMER}).format()`, berlin, '2024-07-01T14:00:00+02:00'],
    ['the standard offset in summer', `return T(${SUMMER}).format()`, standard, '2024-07-01T13:00:00+01:00'],
    ['T of a text with a zone', "return T('2024-07-01T12:00:00Z').format()", berlin, '2024-07-01T14:00:00+02:00'],
    [
      'T of a text with an offset',
      "return T('2024-07-01T12:00:00-0500').format()",
      berlin,
      '2024-07-01T19:00:00+02:00',
    ],
    ['T of a text without a zone', "return T('2024-07-01T12:00:00').format()", berlin, '2024-07-01T12:00:00+02:00'],
    [
      'T of a text without a zone, standard offset',
      "return T('2024-07-01T12:00:00').format()",
      standard,
      '2024-07-01T12:00:00+01:00',
    ],
    ['T of a date', "return T('2024-07-01').format()", berlin, '2024-07-01T00:00:00+02:00'],
    ['T of a Date', 'return T(new Date(0)).format()', berlin, '1970-01-01T01:00:00+01:00'],
    ['T of a moment', 'return T(T(0).add(1, "hour")).format()', berlin, '1970-01-01T02:00:00+01:00'],
    ['T of a time attribute', "return T(NUMBER('A').currentTime).format('HH:mm')", berlin, '11:00'],
    ['a day begins in the zone', 'return T(NOW).startOf("day").toISOString()', berlin, '2024-01-14T23:00:00.000Z'],
    ['an hour that the clock skips', "return T('2024-03-31T02:30:00').format()", berlin, '2024-03-31T03:30:00+02:00'],
    ['a day of 23 hours', "return '' + T('2024-04-01').diff(T('2024-03-31'), 'hours')", berlin, '23'],
    [
      'arithmetic across the change of the clock',
      "return T('2024-03-30T12:00:00').add(1, 'day').format()",
      berlin,
      '2024-03-31T12:00:00+02:00',
    ],
    [
      'half an hour',
      `return T(${SUMMER}).format()`,
      { name: 'Asia/Kolkata', adjustsForDst: true },
      '2024-07-01T17:30:00+05:30',
    ],
    [
      'the southern hemisphere',
      `return T(${SUMMER}).format()`,
      { name: 'Australia/Sydney', adjustsForDst: true },
      '2024-07-01T22:00:00+10:00',
    ],
    [
      'the southern hemisphere, standard offset',
      'return T(NOW).format()',
      { name: 'Australia/Sydney', adjustsForDst: false },
      '2024-01-15T20:00:00+10:00',
    ],
    ['UTC', 'return T(NOW).format()', { name: 'Etc/UTC', adjustsForDst: true }, '2024-01-15T10:00:00Z'],
    [
      'a zone by another name',
      `return T(${SUMMER}).format()`,
      { name: 'US/Eastern', adjustsForDst: true },
      '2024-07-01T08:00:00-04:00',
    ],
    ['new Date() is NOW', 'return new Date().toISOString()', berlin, '2024-01-15T10:00:00.000Z'],
    ['Date.now() is NOW', 'return String(Date.now() - NOW)', berlin, '0'],
    ['moment() is NOW', "return require('moment')().toISOString()", berlin, '2024-01-15T10:00:00.000Z'],
    [
      'local times of Date are UTC',
      'return String(new Date().getHours() + new Date().getTimezoneOffset())',
      berlin,
      '10',
    ],
  ])('%s', async (_what, code, zone, text) => {
    const result = await run(code, { family: 'TEXT', ...(zone && { zone }), inputs: { A: { values: [1] } } });
    expect([textsOf(result), valuesOf(result)]).toEqual([[], [text]]);
  });

  test('NOW is each time, and numbers by chance are the same whenever the run is repeated', async () => {
    const times = [START_MS, START_MS + 1, START_MS + 2];
    const now = await run('return NOW', { times });
    expect(valuesOf(now)).toEqual(times);
    const values = valuesOf(await run('return Math.random()', { times }));
    const later = valuesOf(await run('return Math.random()', { times: times.slice(1) }));
    expect(later).toEqual(values.slice(1));
    expect(new Set(values).size).toBe(3);
  });
});

describe('libraries', () => {
  test.each<[what: string, code: string, value: unknown]>([
    ['moment', "return require('moment').utc('2024-02-29').add(1, 'year').date()", 28],
    ['moment.duration', "return require('moment').duration('PT1H30M').asMinutes()", 90],
    [
      'moment with a format',
      "return require('moment').utc('29.02.2024 06', 'DD.MM.YYYY HH').valueOf() / 3600000",
      474_774,
    ],
    ['everpolate linear', "return require('everpolate').linear(1.5, [1, 2], [10, 20])[0]", 15],
    ['everpolate step', "return require('everpolate').step(1.5, [1, 2], [10, 20])[0]", 10],
    ['everpolate polynomial', "return require('everpolate').polynomial(3, [0, 1, 2], [0, 1, 4])[0]", 9],
    ['everpolate poly', "return require('everpolate').poly(3, [0, 1, 2], [0, 1, 4])[0]", 9],
    ['everpolate linearRegression', "return require('everpolate').linearRegression([0, 1, 2], [1, 3, 5]).slope", 2],
    ['everpolate regression', "return require('everpolate').regression([0, 1, 2], [1, 3, 5]).evaluate(3)[0]", 7],
  ])('%s', async (_what, code, value) => {
    const result = await run(code);
    expect([textsOf(result), valuesOf(result)]).toEqual([[], [value]]);
  });

  test.each([
    ["require('fs')", "require: there are moment and everpolate, not the text 'fs'"],
    ["require('everpolate/help')", "require: there are moment and everpolate, not the text 'everpolate/help'"],
    ["require('moment').locale('de')", 'moment.locale changes other runs too, which is refused'],
    ["require('moment').tz.setDefault('Asia/Tokyo')", 'moment.tz.setDefault changes other runs too, which is refused'],
    ["require('moment').updateLocale('en', {})", 'moment.updateLocale changes other runs too, which is refused'],
    ["T('yesterday')", "T: the text 'yesterday' is no time"],
    ["Q('Excellent')", "there is no quality code the text 'Excellent'"],
  ])('%s is refused', async (code, message) => {
    expect(textsOf(await run(`\n${code}`))).toEqual([`${message} (line 2)`]);
  });
});

describe('the result of a process parameter', () => {
  const later = START_MS + MINUTE_MS;
  test.each<[what: string, family: Family, code: string, record: object | undefined]>([
    ['a number', 'NUMBER', 'return 1.5', { timeMs: START_MS, value: 1.5 }],
    ['a boolean', 'NUMBER', 'return NOW > 0', { timeMs: START_MS, value: 1 }],
    ['undefined', 'NUMBER', 'return undefined', undefined],
    ['nothing', 'NUMBER', 'if (NOW < 0) return 1', undefined],
    ['null', 'NUMBER', 'return null', undefined],
    ['a text', 'TEXT', "return 'ok'", { timeMs: START_MS, value: 'ok' }],
    [
      'a text of 10 000 characters',
      'TEXT',
      "return 'x'.repeat(10000)",
      { timeMs: START_MS, value: 'x'.repeat(10_000) },
    ],
    ['a time in milliseconds', 'TIME', 'return NOW + 60000', { timeMs: START_MS, value: later }],
    ['a Date', 'TIME', 'return new Date(NOW + 60000)', { timeMs: START_MS, value: later }],
    ['a moment', 'TIME', 'return T(NOW).add(1, "minute")', { timeMs: START_MS, value: later }],
    ['a time as a text', 'TIME', "return '2024-01-15T10:01:00Z'", { timeMs: START_MS, value: later }],
    ['a time with an offset', 'TIME', "return '2024-01-15T08:31:00.0009-01:30'", { timeMs: START_MS, value: later }],
    ['a time with hours of offset', 'TIME', "return '2024-01-15T11:01+01'", { timeMs: START_MS, value: later }],
    [
      'midnight as the end of a day',
      'TIME',
      "return '2024-02-29T24:00'",
      { timeMs: START_MS, value: Date.UTC(2024, 2) },
    ],
    ['a leap day', 'TIME', "return '2024-02-29'", { timeMs: START_MS, value: Date.UTC(2024, 1, 29) }],
    [
      'value with time and quality',
      'NUMBER',
      'return { time: NOW + 60000, value: 3, quality: 155 }',
      { timeMs: later, value: 3, quality: 155 },
    ],
    [
      'value with a quality by name',
      'NUMBER',
      "return { value: 3, quality: 'Bad - No Data' }",
      { timeMs: START_MS, value: 3, quality: 155 },
    ],
    [
      'value with a quality by Q',
      'NUMBER',
      "return { value: 3, quality: Q('Good - Entry Inserted') }",
      { timeMs: START_MS, value: 3, quality: 162 },
    ],
    [
      'a time that is a moment',
      'NUMBER',
      'return { time: T(NOW).add(1, "minute"), value: 3 }',
      { timeMs: later, value: 3 },
    ],
    [
      'a quality without a value',
      'NUMBER',
      'return { value: undefined, quality: 155 }',
      { timeMs: START_MS, quality: 155 },
    ],
    ['an object without a value', 'NUMBER', 'return { value: null }', undefined],
  ])('%s', async (_what, family, code, record) => {
    const result = await run(code, { family });
    expect(textsOf(result)).toEqual([]);
    expect(result.records).toEqual(record === undefined ? [] : [{ run: 0, output: 0, ...record }]);
  });

  test.each<[family: Family, code: string, message: string]>([
    ['NUMBER', 'return NaN', 'the value is NaN'],
    ['NUMBER', 'return 1 / 0', 'the value is Infinity'],
    ['NUMBER', 'return -1 / 0', 'the value is -Infinity'],
    ['NUMBER', "return '5'", "the value must be a number, not the text '5'"],
    ['NUMBER', 'return [1]', 'the result is an array'],
    ['NUMBER', 'return {}', 'the result is an object'],
    ['NUMBER', 'return function () {}', 'the value must be a number, not a function'],
    ['NUMBER', 'return Symbol()', 'the value must be a number, not a symbol'],
    ['NUMBER', 'return 5n', 'the value must be a number, not a bigint'],
    ['NUMBER', 'return new Date()', 'the value must be a number, not a Date'],
    ['NUMBER', 'return { value: { value: 1 } }', 'the value must be a number, not an object'],
    [
      'NUMBER',
      'return { value: 1, quality: 70000 }',
      'a quality is a whole number from 0 to 65535 or a name, not 70000',
    ],
    ['NUMBER', 'return { value: 1, quality: 1.5 }', 'a quality is a whole number from 0 to 65535 or a name, not 1.5'],
    ['NUMBER', "return { value: 1, time: 'noon' }", "time must be a time, not the text 'noon'"],
    ['NUMBER', 'return { value: 1, time: 1e18 }', 'time must be a time, not 1000000000000000000: records are from'],
    ['NUMBER', 'return { value: 1, time: NaN }', 'time must be a time, not NaN: there is no such time'],
    ['NUMBER', 'return { value: 1, time: new Date("x") }', 'time must be a time, not a Date: there is no such time'],
    ['NUMBER', 'return { value: 1, time: T(NOW).month(99999999) }', 'time must be a time, not an object'],
    ['NUMBER', 'return { value: 1, time: "2024-02-30" }', "not the text '2024-02-30': there is no such time"],
    ['NUMBER', 'return { value: 1, time: "2023-02-29T00:00:00Z" }', 'there is no such time'],
    ['NUMBER', 'return { value: 1, time: "2024-04-31T10:00" }', 'there is no such time'],
    ['NUMBER', 'return { value: 1, time: "2024-01-15T10:00:60Z" }', 'there is no such time'],
    ['NUMBER', 'return { value: 1, time: "2024-01-15T24:01Z" }', 'there is no such time'],
    ['NUMBER', 'return { value: 1, time: "2024-01-15T10:00:00+24:00" }', 'there is no such time'],
    ['NUMBER', 'return { value: 1, time: "0024-01-15" }', 'records are from 1800-01-01 to before 2262-04-11'],
    ['NUMBER', 'return { value: 1, time: "2262-04-11" }', 'records are from 1800-01-01 to before 2262-04-11'],
    [
      'NUMBER',
      'return { value: 1, time: Date.UTC(3000, 0) }',
      '(3000-01-01T00:00:00.000Z): records are from 1800-01-01',
    ],
    ['NUMBER', "return T('2024-02-30').valueOf()", "T: the text '2024-02-30' is no time"],
    ['TIME', "return '2024-02-30'", "the value must be a time, not the text '2024-02-30': there is no such time"],
    ['TIME', 'return Date.UTC(9999, 0)', 'years are 1800 to 9998'],
    ['NUMBER', 'return new Promise(function () {})', 'a promise is no result: it never settles'],
    ['NUMBER', 'return (async function () { return 1 })()', 'a promise is no result: it never settles'],
    ['TEXT', 'return 5', 'the value must be a text, not 5'],
    ['TEXT', "return 'a\\0b'", 'the value has U+0000 or half of a surrogate pair'],
    ['TEXT', "return '😀'.slice(1)", 'the value has U+0000 or half of a surrogate pair'],
    ['TEXT', "throw new Error('a\\0b')", 'a\ufffdb'],
    ['TEXT', "return 'x'.repeat(10001)", 'the value has more than 10000 characters'],
    ['TIME', 'return true', 'the value must be a time, not true'],
    ['TIME', "return '15.01.2024'", "the value must be a time, not the text '15.01.2024'"],
  ])('%s: %s fails', async (family, code, message) => {
    const result = await run(code, { family });
    expect([result.records, result.failed, textsOf(result)[0]]).toEqual([[], 1, expect.stringContaining(message)]);
  });

  test('THIS is the newest result, so that a running total is possible', async () => {
    const code = "return (THIS.currentValue || 0) + NUMBER('A')";
    const result = await run(code, { inputs: { A: { values: [1, 2, 3, undefined, 5] } } });
    expect(valuesOf(result)).toEqual([1, 3, 6, 11]);
    expect(textsOf(result)).toEqual(['the value is NaN']);
    const state = { timeMs: START_MS - 1, value: 100 };
    const next = await run(code, { inputs: { A: { values: [1, 2] } }, states: [state] });
    expect(valuesOf(next)).toEqual([101, 103]);
    expect(next.outputs).toEqual([{ timeMs: START_MS + MINUTE_MS, value: 103 }]);
  });
});

describe('outputs of a processor', () => {
  const outputs = { Total: 'NUMBER', Note: 'TEXT', Seen: 'TIME', Wet: 'BOOLEAN' } as const;
  const processor: Given = { kind: 'processor', outputs };

  test('currentValue makes a record, with the time and quality that were assigned before', async () => {
    const code = `
      var total = NUMBER('Total'), note = TEXT('Note');
      total.currentTime = NOW - 1000; total.currentQuality = 'Bad - No Data'; total.currentValue = 7;
      note.currentValue = 'dry';
      TIME('Seen').currentValue = T(NOW);
      BOOLEAN('Wet').currentValue = true;`;
    const { records, failed, outputs: states } = await run(code, processor);
    expect(failed).toBe(0);
    expect(records).toEqual([
      { run: 0, output: 0, timeMs: START_MS - 1_000, value: 7, quality: 155 },
      { run: 0, output: 1, timeMs: START_MS, value: 'dry' },
      { run: 0, output: 2, timeMs: START_MS, value: START_MS },
      { run: 0, output: 3, timeMs: START_MS, value: 1 },
    ]);
    expect(states.map((state) => state?.value)).toEqual([7, 'dry', START_MS, 1]);
  });

  test('several records of one output, each with its own time', async () => {
    const code =
      "var t = NUMBER('Total'); for (var i = 0; i < 3; i += 1) { t.currentTime = NOW + i; t.currentValue = i; }";
    const { records } = await run(code, processor);
    expect(records.map(({ timeMs, value }) => [timeMs - START_MS, value])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  test('an output that is read has its newest record; a failed run leaves it as it was', async () => {
    const code = `
      var total = NUMBER('Total');
      total.currentValue = (total.currentValue || 0) + NUMBER('A').currentValue;
      if (NUMBER('A') == 3) throw 'three';`;
    const given = { ...processor, inputs: { A: { values: [1, 3, 5] } } };
    const result = await run(code, given);
    expect([valuesOf(result), textsOf(result)]).toEqual([[1, 6], ['three (line 4)']]);
  });

  test('a declared output without records reads as undefined', async () => {
    expect(
      valuesOf(
        await run("NUMBER('Total').currentValue = NUMBER('Total').currentValue === undefined ? 1 : 2", processor),
      ),
    ).toEqual([1]);
  });

  test.each([
    ["NUMBER('A').currentValue = 1", 'currentValue of this node cannot be assigned'],
    ["NUMBER('A').currentTime = 1", 'currentTime of this node cannot be assigned'],
    ['THIS.currentValue = 1', 'currentValue cannot be assigned'],
    ["NUMBER('Total').currentvalue = 1", 'currentvalue cannot be assigned'],
    ["NODE('A').name = 'x'", 'name cannot be assigned'],
    ["NUMBER('Total').currentValue = NaN", 'the value is NaN'],
    ["NUMBER('Total').currentTime = 'x'", "currentTime must be a time, not the text 'x'"],
    ["for (var i = 0; i < 101; i += 1) NUMBER('Total').currentValue = i", 'a run makes at most 100 records'],
  ])('%s fails', async (code, message) => {
    const result = await run(code, { ...processor, inputs: { A: { values: [1] } } });
    expect([result.records, textsOf(result)]).toEqual([[], [`${message} (line 1)`]]);
  });

  test('what a processor returns is no record', async () => {
    expect(await run('return 5', processor)).toMatchObject({ records: [], failed: 0 });
  });
});

describe('ECMAScript 5 programs work as they are', () => {
  test.each<[what: string, code: string, value: unknown]>([
    ['variables that nobody declares', 'sum = 0; for (i = 0; i < 4; i++) sum += i; return sum', 6],
    ['hoisting', 'x = f(2); function f(n) { return n * y; } var y; return isNaN(x) ? 1 : 0', 1],
    [
      'prototypes',
      'function Tank(v) { this.v = v } Tank.prototype.level = function () { return this.v * 2 }; return new Tank(4).level()',
      8,
    ],
    [
      'toString of an own prototype',
      "function Tank() {} Tank.prototype.toString = function () { return 'tank' }; return ('' + new Tank()).length",
      4,
    ],
    [
      'a prototype that is replaced',
      'function P() {} P.prototype = {}; P.prototype.constructor = P; P.prototype.valueOf = function () { return 3 }; return new P() * 2',
      6,
    ],
    [
      'an error of its own',
      "function E(m) { this.message = m; this.name = 'E' } E.prototype = Object.create(Error.prototype); E.prototype.constructor = E; try { throw new E('x') } catch (e) { return e.message === 'x' && e instanceof Error && e.name === 'E' ? 1 : 0 }",
      1,
    ],
    [
      'properties of an error',
      "var e = new Error('a'); e.message = 'b'; e.name = 'c'; return String(e) === 'c: b' ? 1 : 0",
      1,
    ],
    ['a property named constructor', 'var o = {}; o.constructor = 5; o.hasOwnProperty = 1; return o.constructor', 5],
    ['this of a function', 'function f() { return this === undefined ? 0 : 1 } return f()', 1],
    ['this of the program', 'this.level = 4; return this.level', 4],
    ['arguments', 'function f() { return arguments.length } return f(1, 2)', 2],
    ['with', 'with ({ a: 5 }) { return a }', 5],
    ['octal numbers', 'return 010', 8],
    ['delete', 'var o = { a: 1 }; delete o.a; return o.a === undefined ? 1 : 0', 1],
    ['labels', 'outer: for (;;) { for (;;) { break outer } } return 1', 1],
    ['newer syntax', 'const { a, ...rest } = { a: 1, b: 2 }; return [a, rest?.b ?? 0].map((x) => x ** 2).at(-1)', 4],
    ['classes', 'class A { #x = 2; get x() { return this.#x } static y = 3 } return new A().x * A.y', 6],
    ['generators', 'function* g() { yield 1; yield 2 } let s = 0; for (const x of g()) s += x; return s', 3],
    ['instanceof Function', 'return (function () {}) instanceof Function ? 1 : 0', 1],
    ['line ends of other systems', 'var a = 1;\r\nvar b = 2;\r\nreturn a + b', 3],
    ['a comment at the end', 'return 1 // one', 1],
    ['functions with parameters T and Q', 'function f(T, Q) { return T + Q } return f(1, 2)', 3],
  ])('%s', async (_what, code, value) => {
    const result = await run(code);
    expect([textsOf(result), valuesOf(result)]).toEqual([[], [value]]);
  });
});

describe('errors have the line that the person wrote', () => {
  test.each<[what: string, code: string, shared: string, text: string]>([
    ['throw with a text', "\n\nthrow 'dry'", '', 'dry (line 3)'],
    ['throw with an Error', "\nthrow new Error('dry')", '', 'dry (line 2)'],
    ['throw in a function', "function f() {\n  throw 'dry'\n}\nf()", '', 'dry (line 2)'],
    ['throw of a number', '\nthrow 5', '', '5 (line 2)'],
    ['throw of a comma', "\nthrow 1, 'two'", '', 'two (line 2)'],
    ['throw of null', '\nthrow null', '', 'null (line 2)'],
    ['an exception of the engine', 'var a;\nreturn a.b', '', "cannot read property 'b' of undefined (line 2)"],
    ['a variable that is not there', 'return 1 +\n  nothing', '', "'nothing' is not defined (line 2)"],
    [
      'within a library',
      "\nreturn require('everpolate').linear(1, null, null)",
      '',
      'cannot read property of null (line 2)',
    ],
    ['after shared code', "\nthrow 'dry'", 'var a = 1;\nvar b = 2;\n', 'dry (line 2)'],
    ['in shared code', 'f()', "\nfunction f() {\n  throw new Error('wet') }", 'wet (shared code, line 3)'],
    ['a text thrown in shared code', 'f()', "function f() {\n  throw 'wet' }", 'wet (shared code, line 2)'],
    [
      'an error that is thrown again',
      'try {\n  null.x\n} catch (e) {\n  throw e\n}',
      '',
      "cannot read property 'x' of null (line 2)",
    ],
    ['line ends of other systems', "var a;\r\n\r\nthrow 'dry'", 'var b;\r\n', 'dry (line 3)'],
  ])('%s', async (_what, code, shared, text) => {
    expect(textsOf(await run(code, { shared }))).toEqual([text]);
  });
});

describe('shared code', () => {
  test('runs before the program, in the same scope, anew for each run', async () => {
    const shared = 'var count = 0;\nfunction next() { count += 1; return count; }';
    const result = await run("next(); return next() + NUMBER('A') * 0", { shared, inputs: { A: { values: [1, 1] } } });
    expect(valuesOf(result)).toEqual([2, 2]);
  });

  test.each([
    ['var x = NODE("a")', 'shared code may not use NODE (shared code, line 1)'],
    ['\nfunction f() { return NOW }', 'shared code may not use NOW (shared code, line 2)'],
    ['var T = 1', 'T has a meaning already (shared code, line 1)'],
    ['\n\nvar (', 'Unexpected token (shared code, line 3)'],
    ['AUTH("a", "b")', 'shared code may not use AUTH (shared code, line 1)'],
    ['}); (function () {', 'Unexpected token (shared code, line 1)'],
  ])('%s is refused', async (shared, message) => {
    expect(await analyse('return 1', { shared })).toEqual({ error: { message } });
  });

  test('a name of both is refused where the language does', async () => {
    expect(await analyse('\nlet a = 1', { shared: 'let a = 2' })).toEqual({
      error: expect.objectContaining({ line: 2 }),
    });
  });
});

describe('what the text of a program says', () => {
  test('references in the order of the text, each once, with their lines', async () => {
    const code =
      "function late() { return NUMBER('B') }\nreturn NUMBER('A') +\n  NODE('/W/{@x}/P;AVERAGE;H;1H') + NUMBER('B') + NODES('../.*').length + BOOLEAN('A')";
    expect(await analyse(code)).toEqual({
      grants: [],
      references: [
        { call: 'NUMBER', text: 'B', path: 'B', line: 1 },
        { call: 'NUMBER', text: 'A', path: 'A', line: 2 },
        {
          call: 'NODE',
          text: '/W/{@x}/P;AVERAGE;H;1H',
          path: '/W/{@x}/P',
          line: 3,
          aggregate: { name: 'AVERAGE', baseTime: 'H', interval: '1H' },
        },
        { call: 'NODES', text: '../.*', path: '../.*', line: 3 },
        { call: 'BOOLEAN', text: 'A', path: 'A', line: 3 },
      ],
    });
  });

  test.each([
    ['return LOCATION', 1],
    ['\nreturn LOCATION.currentValue[0]', 2],
    ["return '' + LOCATION", 1],
    ['return LOCATION.name.length', undefined],
    ['return LOCATION.metadata.x', undefined],
    ['return SOURCE', undefined],
  ])('%j: whether the coordinates of LOCATION are an input', async (code, line) => {
    expect(await analyse(code)).toEqual({
      references: [],
      grants: [],
      ...(line !== undefined && { locationLine: line }),
    });
  });

  test('a number in parentheses is which percentile', async () => {
    expect(await analyse("return NUMBER('A;PERCENTILE(97.5);D;1D')")).toMatchObject({
      references: [{ path: 'A', aggregate: { name: 'PERCENTILE', percentile: '97.5', baseTime: 'D', interval: '1D' } }],
    });
  });

  test('grants of AUTH', async () => {
    expect(await analyse("AUTH('other', 'key'); return NUMBER('/other/W/P')")).toMatchObject({
      grants: [{ slug: 'other', key: 'key', line: 1 }],
    });
  });

  test.each([
    ['return NUMBER(path)', 'the path of NUMBER must be a literal: it is read before the program runs', 1],
    [
      "var p = 'a';\np += 'b';\nreturn NUMBER(p)",
      'the path of NUMBER must be a literal: it is read before the program runs',
      3,
    ],
    [`return NUMBER(\`a\${NOW}\`)`, 'the path of NUMBER must be a literal: it is read before the program runs', 1],
    ["return NUMBER('A', 'B')", 'the path of NUMBER must be a literal: it is read before the program runs', 1],
    ["return NUMBER('')", 'the path of NUMBER is empty', 1],
    ["return NUMBER('A;TOTAL')", "'A;TOTAL': an aggregate is written <path>;<AGGREGATE>;<baseTime>;<interval>", 1],
    ['var read = NUMBER;', 'NUMBER can only be called', 1],
    ["AUTH('slug', key)", 'AUTH takes a slug and a key, both as literals', 1],
    ['\nvar NOW = 1', 'NOW has a meaning already', 2],
    ['function NODE() {}', 'NODE has a meaning already', 1],
    ['function f(THIS) {}', 'THIS has a meaning already', 1],
    ['var T = 1', 'T has a meaning already', 1],
    ['try {} catch (SOURCE) {}', 'SOURCE has a meaning already', 1],
    ['\nNOW = 1', 'NOW cannot be assigned', 2],
    ['return (1', 'Unexpected token', 1],
    ['var a = 1;\nvar = 2', 'Unexpected token', 2],
    ['}\nfunction x() {', 'Unexpected token', 1],
    ['return 1 }); (function () { return 2', 'Unexpected token', 1],
    ["return import('fs')", 'import is not available', 1],
    ["import fs from 'fs'", "'import' and 'export' may appear only with 'sourceType: module'", 1],
  ])('%s is refused', async (code, message, line) => {
    expect(await analyse(code)).toEqual({ error: { message, line } });
  });

  test('texts that double each other are no path', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `const a${n + 1} = a${n} + a${n};`).join('\n');
    expect(await analyse(`const a0 = 'x';\n${names}\nreturn NUMBER(a60)`)).toEqual({
      error: { message: 'the path of NUMBER must be a literal: it is read before the program runs', line: 62 },
    });
  });

  test('a text that is nested too deeply is refused, and the next one read', async () => {
    expect(await analyse('['.repeat(60_000))).toEqual({ error: { message: 'the program is nested too deeply' } });
    expect(await analyse('return 1')).toEqual({ references: [], grants: [] });
  });
});

describe('processor time of a run', () => {
  test('0.2 s of a process parameter', async () => {
    const result = await run('for (;;);', { times: [START_MS, START_MS + 1] });
    expect(result.records).toEqual([]);
    expect(result.failures.map(({ message }) => message)).toEqual(['took longer than 0.2 s', 'took longer than 0.2 s']);
  });

  test('2 s of a processor', async () => {
    const outputs = { Out: 'NUMBER' as const };
    // The loop works for about half a second.
    const work = 'for (var i = 0; i < 1.5e7; i += 1);';
    const code = `if (NOW > ${START_MS}) for (;;);\n${work}\nNUMBER('Out').currentValue = 1`;
    const result = await run(code, { kind: 'processor', outputs, times: [START_MS, START_MS + 1] });
    expect(valuesOf(result)).toEqual([1]);
    expect(result.failures.map(({ message }) => message)).toEqual(['took longer than 2 s']);
  });

  test('counts for each run, however many a batch has', async () => {
    const times = Array.from({ length: 40 }, (_, n) => START_MS + n);
    const result = await run('for (var i = 0; i < 2e5; i += 1);\nreturn 1', { times });
    expect(result).toMatchObject({ runs: 40, failed: 0 });
  });
});

describe('a batch', () => {
  test('ends when too many runs in a row have failed, counting those before', async () => {
    const values = Array.from({ length: 50 }, (_, n) => n);
    const given = { inputs: { A: { values } }, failuresBefore: 7, maxFailures: 10 };
    const all = await run("\nthrow 'x' + NUMBER('A')", given);
    expect(all).toMatchObject({ runs: 3, failed: 3, failuresAfter: 10 });
    expect(textsOf(all)).toEqual(['x0 (line 2)', 'x1 (line 2)', 'x2 (line 2)']);
    const some = await run("if (NUMBER('A') % 5) throw 'x'; return 1", given);
    expect(some).toMatchObject({ runs: 50, failed: 40, failuresAfter: 4 });
  });

  test('is the same wherever it is cut', async () => {
    const values = Array.from({ length: 2_600 }, (_, n) => (n % 7 === 3 ? undefined : n % 100));
    const code =
      "if (NUMBER('A').currentValue === undefined) return; return (THIS.currentValue || 0) * 0.9 + NUMBER('A')";
    const whole = await run(code, { inputs: { A: { values } } });
    const first = await run(code, { inputs: { A: { values: values.slice(0, 1_001) } } });
    const times = values.map((_, n) => START_MS + n * MINUTE_MS).slice(1_001);
    const rest = await run(code, { inputs: { A: { values: values.slice(1_001) } }, times, states: first.outputs });
    expect([...valuesOf(first), ...valuesOf(rest)]).toEqual(valuesOf(whole));
    expect(rest.outputs).toEqual(whole.outputs);
  });

  test('keeps the console of each run, bounded, when it is asked to', async () => {
    const code =
      "console.log('level', NUMBER('A'), { a: [1] }, undefined, null, new Error('e'), 'x'.repeat(2000)); return 1";
    const kept = await run(code, { inputs: { A: { values: [2, 3] } }, keepsConsole: true });
    expect(kept.console.map((line) => line.run)).toEqual([0, 1]);
    expect(kept.console[0]?.text).toMatch(/^level 2 \{"a":\[1\]\} undefined null e x+$/);
    expect(kept.console[0]?.text).toHaveLength(1_000);
    const quiet = await run(code, { inputs: { A: { values: [2, 3] } } });
    expect(quiet.console).toEqual([]);
  });

  test('the console knows the line of the program, and none of shared code', async () => {
    const code = "\nconsole.log('own');\nshout(NUMBER('A'));\nreturn 1";
    const sharedCode = 'function shout(x) {\n console.log(x); }';
    const { console: said } = await run(code, {
      inputs: { A: { values: [2] } },
      keepsConsole: true,
      shared: sharedCode,
    });
    expect(said).toEqual([
      { run: 0, text: 'own', line: 2 },
      { run: 0, text: '2' },
    ]);
  });

  test('of a program that cannot begin fails with the reason', async () => {
    const { references: _, ...program } = (await import('./processing-language-harness.ts')).bind(
      'return (',
      { references: [], grants: [] },
      {},
    ).program;
    const batch = {
      columns: [],
      times: [1, 2],
      outputs: [null],
      limitMs: 200,
      keepsConsole: false,
      maxFailures: 100,
      failuresBefore: 0,
    };
    const result = await sandbox.run('account', { program: { ...program, references: [] }, ...batch }, never);
    expect(textsOf(result)).toEqual(['Unexpected token (line 1)', 'Unexpected token (line 1)']);
  });
});

describe('expressions of a text', () => {
  const nodes = [
    { nodeId: 's', attributes: { name: 'Download', currentLocalTime: '2024-01-14T23:30:00+01:00' } },
    { nodeId: 'w', attributes: { name: 'Basin' } },
  ];
  const render = (template: string) =>
    sandbox.render(
      'account',
      {
        template,
        nowMs: START_MS,
        nodes,
        globals: { THIS: 0, SOURCE: 0, WORKSPACE: 1 },
        zone: { name: 'Europe/Berlin', adjustsForDst: true },
      },
      never,
    );

  test.each([
    ['no expressions', 'http://x/?a={b}', 'http://x/?a={b}'],
    [
      'times',
      "http://data.com/?start={{T(SOURCE.currentLocalTime).format('YYYY.MM.DD')}}&end={{T(NOW).format('YYYY.MM.DD')}}",
      'http://data.com/?start=2024.01.14&end=2024.01.15',
    ],
    ['names', '{{ THIS }}-{{WORKSPACE.name}}', 'Download-Basin'],
    ['numbers', '{{ 1 + 2 }}{{ NOW }}', `3${START_MS}`],
    ['undefined and null', 'a{{ THIS.nothing }}b{{ null }}c', 'abc'],
    ['JavaScript', "{{ [1, 2].map(function (x) { return x * 2 }).join('-') }}", '2-4'],
  ])('%s', async (_what, template, text) => {
    expect(await render(template)).toBe(text);
  });

  test.each([
    ['{{ foo.bar }}', "{{ foo.bar }}: 'foo' is not defined"],
    ['{{ 1 + }}', '{{ 1 + }}: Unexpected token'],
    ['{{ 1); (2 }}', '{{ 1); (2 }}: this is no expression'],
    ["{{ NODE('x') }}", "{{ NODE('x') }}: NODE: the path must stand in the program as a literal"],
    ['{{ (function f() { for (;;); })() }}', '{{ (function f() { for (;;); })() }}: took longer than 0.2 s'],
    ['x{{ 1', "{{ 1: '}}' is missing"],
  ])('%s: the error names the expression', async (template, message) => {
    const error = await render(template).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ kind: 'failed_precondition', reason: 'EXPRESSION_FAILED', message });
  });
});

test('nothing of a program is logged', () => {
  expect(logged.map(({ text }) => text).filter((text) => text !== 'runner started')).toEqual([]);
});
