import { effectiveZone } from '@catchment/time';
import { DOCUMENT_WORK, hasExpressions, MESSAGE_WORK, parseExpressions } from './index.ts';

const NOW_MS = Date.parse('2024-05-15T10:47:23.456Z');
const OBJECTS = {
  NOW: '2024-05-15T10:47:23.456Z',
  THIS: { name: 'Level', currentValue: 1.5, note: null, empty: '', none: [], metadata: { depth: 4 } },
  list: ['b', 'C', 'a', null, 'b'],
  nodes: [
    { name: 'Weir', kind: 'gauge', on: true },
    { name: 'dam', kind: 'gauge', on: false },
    { name: 'Bore', kind: 'well' },
  ],
  hash: { one: 1, two: 2 },
};

const rendered = (source: string, work = MESSAGE_WORK): string =>
  parseExpressions(source).render(OBJECTS, { nowMs: NOW_MS, work });

const refusal = { kind: 'invalid_argument', reason: 'INVALID_EXPRESSION' };
const refused = (source: string, work?: number): unknown => {
  try {
    return `not refused: ${rendered(source, work)}`;
  } catch (error) {
    return error;
  }
};

describe('syntax', () => {
  test.each([
    ['text without expressions stays', 'a } { % b', 'a } { % b'],
    ['an attribute', '{{ THIS.name }}', 'Level'],
    ['an attribute in brackets', '{{ THIS["name"] }}', 'Level'],
    ['an attribute of an attribute', '{{ THIS.metadata.depth }}', '4'],
    [
      'the size of a text counts characters',
      '{% assign t = "😀b" %}{{ t.size }} {% if t.size == 2 %}two{% endif %}',
      '2 two',
    ],
    ['a character of a text by its place', '{% assign t = "😀b" %}{{ t[0] }}{{ t[-1] }}', '😀b'],
    ['the size of a list and of an object', '{{ list.size }} {{ hash.size }}', '5 2'],
    ['an unknown variable prints nothing', '[{{ nobody.at.all }}]', '[]'],
    ['nil prints nothing', '[{{ THIS.note }}{{ nil }}]', '[]'],
    ['an object prints as JSON', '{{ THIS.metadata }}', '{"depth":4}'],
    ['a list prints its items', '{{ list }}', 'bCab'],
    ['white space is cut where asked', 'a  {{- "b" -}}  c {%- if true -%} d {%- endif %}', 'abcd'],
    ['what every object of the language has is not there', '{{ THIS.constructor }}{{ THIS.__proto__ }}', ''],
    ['text in quotes holds delimiters', '{{ "}} {%" }}', '}} {%'],
  ])('%s', (_what, source, expected) => expect(rendered(source)).toBe(expected));

  test.each([
    ['an unknown filter', '{{ 1 | shout }}', 'undefined filter: shout'],
    ['an unknown filter of a tag', '{% cycle 1 | shout %}', 'undefined filter: shout'],
    ['an unknown tag', '{% include "x" %}', 'tag "include" not found'],
    ['render', '{% render "x" %}', 'tag "render" not found'],
    ['layout', '{% layout "x" %}', 'tag "layout" not found'],
    ['an output without an end', '{{ 1', 'not closed'],
    ['an output without a value', '{{ }}', 'invalid value expression'],
    ['arithmetic', '{{ 1 + 2 }}', 'expected'],
    ['values side by side', '{{ 1 2 }}', 'operator between'],
    ['an operator without a second value', '{% if 1 == %}{% endif %}', 'operator between'],
    ['an operator that there is not', '{% if not true %}{% endif %}', 'operator between'],
    ['parentheses', '{% if (true or false) and false %}{% endif %}', 'invalid range'],
    ['something after the value', '{{ 1, 2 }}', 'unexpected'],
    ['a parenthesis after the value', '{{ 1 ) }}', 'unexpected'],
    ['a named argument', '{{ 1 | default: 2, allow_false: true }}', 'named arguments'],
    ['an argument missing', '{{ 1 | plus }}', 'plus takes 1 arguments'],
    ['an argument too many', '{{ 1 | plus: 1, 2 }}', 'plus takes 1 arguments'],
    ['a filter without a name', '{{ 1 | }}{{ 1 | : 2 }}', 'filter name'],
  ])('refused: %s', (_what, source, message) => {
    expect(refused(source)).toMatchObject({ ...refusal, message: expect.stringContaining(message) });
  });

  test('a text of more than 65 536 characters is refused', () => {
    expect(refused('x'.repeat(65_537))).toMatchObject(refusal);
    expect(rendered('x'.repeat(65_536), DOCUMENT_WORK)).toHaveLength(65_536);
  });

  test.each([
    ['{{ a }}', true],
    ['a {% b', true],
    ['a { b', false],
  ])('%s has expressions: %s', (text, expected) => expect(hasExpressions(text)).toBe(expected));
});

describe('operators', () => {
  test.each([
    ['1 == 1', true],
    ['1 == "1"', false],
    ['nil == THIS.note', true],
    ['THIS.empty == empty', true],
    ['1 != 2', true],
    ['2 > 1', true],
    ['1 > 2', false],
    ['1 < 2', true],
    ['2 >= 2', true],
    ['3 <= 2', false],
    ['"b" > "a"', true],
    // Nothing is above or below nil.
    ['THIS.note < 5', false],
    ['THIS.note >= 0', false],
    ['nobody < 5', false],
    ['"abc" contains "b"', true],
    ['list contains "a"', true],
    ['list contains "z"', false],
    ['"null" contains nil', false],
    ['nobody contains "a"', false],
    ['true and false', false],
    ['true or false', true],
    // Ruby reads from right to left: true or (false and false), false and (false or true).
    ['true or false and false', true],
    ['false and false or true', false],
    // Comparisons first.
    ['1 == 2 or 2 > 1 and 3 != 4', true],
    // contains has the rank of and and or: "abc" contains ("b" and false).
    ['"abc" contains "b" and false', false],
    ['"false" contains "b" and false', true],
    ['list contains "a" == false', false],
  ])('%s is %s', (condition, expected) => {
    expect(rendered(`{% if ${condition} %}true{% else %}false{% endif %}`)).toBe(String(expected));
  });

  test.each([
    ['0', true],
    ['""', true],
    ['THIS.none', true],
    ['false', false],
    ['nil', false],
    ['null', false],
    ['nobody', false],
  ])('%s alone is %s', (value, expected) => {
    expect(rendered(`{% if ${value} %}true{% else %}false{% endif %}`)).toBe(String(expected));
  });
});

describe('tags', () => {
  test.each([
    ['assign', '{% assign a = "x" | upcase %}{{ a }}', 'X'],
    ['assign keeps objects as they are', '{% assign THIS = 1 %}{{ THIS }}', '1'],
    ['capture', '{% capture a %}<{{ 1 }}>{% endcapture %}{{ a }}{{ a }}', '<1><1>'],
    ['case', '{% case THIS.name %}{% when "a", "Level" %}1{% when "b" or "c" %}2{% else %}3{% endcase %}', '1'],
    ['case, else', '{% case 5 %}{% when 1 %}1{% else %}3{% endcase %}', '3'],
    ['comment', 'a{% comment %}{{ 1 | }}{% nothing %}{% endcomment %}b', 'ab'],
    ['cycle', '{% for i in (1..3) %}{% cycle "a", 0 %}{% endfor %}', 'a0a'],
    ['cycle with groups', '{% cycle "x": 1, 2 %}{% cycle "y": 1, 2 %}{% cycle "x": 1, 2 %}', '112'],
    ['increment begins with 0', '{% increment a %}{% increment a %}', '01'],
    ['decrement begins with -1', '{% decrement a %}{% decrement a %}', '-1-2'],
    ['counters have names of their own', '{% assign a = 9 %}{% increment a %}{{ a }}{% increment NOW %}{{ b }}', '090'],
    ['for', '{% for n in nodes %}{{ n.name }},{% endfor %}', 'Weir,dam,Bore,'],
    ['for, else', '{% for n in THIS.none %}x{% else %}none{% endfor %}', 'none'],
    ['for, break', '{% for i in (1..9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}', '12'],
    ['for, continue', '{% for i in (1..3) %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}', '13'],
    ['for, limit and offset', '{% for i in (1..9) limit: 2 offset: 3 %}{{ i }}{% endfor %}', '45'],
    ['for, reversed after limit', '{% for i in (1..9) reversed limit: 3 %}{{ i }}{% endfor %}', '321'],
    ['for over a hash', '{% for p in hash %}{{ p[0] }}={{ p[1] }};{% endfor %}', 'one=1;two=2;'],
    ['for over a range of variables', '{% for i in (hash.one..hash.two) %}{{ i }}{% endfor %}', '12'],
    ['for over a range that goes down', '{% for i in (3..1) %}{{ i }}{% else %}none{% endfor %}', 'none'],
    [
      'forloop',
      '{% for i in (1..2) %}{{ forloop.first }} {{ forloop.last }} {{ forloop.length }} {{ forloop.index }} {{ forloop.index0 }} {{ forloop.rindex }} {{ forloop.rindex0 }};{% endfor %}',
      'true false 2 1 0 2 1;false true 2 2 1 1 0;',
    ],
    ['if, elsif, else', '{% if false %}1{% elsif 1 > 0 %}2{% else %}3{% endif %}', '2'],
    ['unless', '{% unless false %}1{% endunless %}{% unless 1 %}2{% else %}3{% endunless %}', '13'],
    ['raw', '{% raw %}{{ a }} {% b %}{% endraw %}', '{{ a }} {% b %}'],
    [
      'tablerow',
      '{% tablerow i in (1..4) cols: 2 limit: 3 offset: 1 %}{{ i }}{% endtablerow %}',
      '<tr class="row1"><td class="col1">2</td><td class="col2">3</td></tr><tr class="row2"><td class="col1">4</td></tr>',
    ],
  ])('%s', (_what, source, expected) => expect(rendered(source)).toBe(expected));

  test.each([
    ['assign without a name', '{% assign = 1 %}'],
    ['assign without a value', '{% assign a %}'],
    ['assign with more than a value', '{% assign a = 1 2 %}'],
    ['capture without an end', '{% capture a %}'],
    ['capture without a name', '{% capture %}{% endcapture %}'],
    ['case without a value', '{% case %}{% endcase %}'],
    ['when without a value', '{% case 1 %}{% when %}x{% endcase %}'],
    ['comment without an end', '{% comment %}'],
    ['cycle without values', '{% cycle %}'],
    ['increment without a name', '{% increment %}'],
    ['decrement without a name', '{% decrement %}'],
    ['for without in', '{% for a of list %}{% endfor %}'],
    ['for without a list', '{% for a in %}{% endfor %}'],
    ['for without an end', '{% for a in list %}'],
    ['for with an argument that it lacks', '{% for a in list cols: 2 %}{% endfor %}'],
    ['for with a limit that is no number', '{% for a in list limit: "x" %}{% endfor %}'],
    ['for with a limit below 0', '{% for a in list limit: -1 %}{% endfor %}'],
    ['for with an offset that is no whole number', '{% for a in list offset: 1.5 %}{% endfor %}'],
    ['for with something after the list', '{% for a in list | reverse %}{% endfor %}'],
    ['a range of texts', '{% for a in ("a".."b") %}{% endfor %}'],
    ['a range without an end', '{% for a in (1..) %}{% endfor %}'],
    ['if without a condition', '{% if %}{% endif %}'],
    ['elsif without a condition', '{% if 1 %}{% elsif %}{% endif %}'],
    ['if without an end', '{% if 1 %}'],
    ['else twice', '{% if 1 %}{% else %}{% else %}{% endif %}'],
    ['an end without a beginning', '{% endif %}'],
    ['unless without a condition', '{% unless %}{% endunless %}'],
    ['raw without an end', '{% raw %}'],
    ['tablerow with an argument that it lacks', '{% tablerow a in list reversed %}{% endtablerow %}'],
    ['tablerow with cols that are no number', '{% tablerow a in list cols: "x" %}{% endtablerow %}'],
  ])('refused: %s', (_what, source) => expect(refused(source)).toMatchObject(refusal));
});

describe('filters', () => {
  test.each([
    ['"-3" | abs', '3'],
    ['2 | at_least: 5', '5'],
    ['9 | at_most: "5"', '5'],
    ['1.2 | ceil', '2'],
    ['5.345 | decimal: "0.##"', '5.34'],
    ['"5.3" | decimal: "0.##"', '5.3'],
    ['THIS.note | decimal: "0.##"', ''],
    ['5 | divided_by: 3', '1.6666666666666667'],
    ['"10" | divided_by: 2', '5'],
    ['1.8 | floor', '1'],
    ['"x" | plus: 1', '1'],
    ['5 | minus: 2', '3'],
    ['5 | modulo: 3', '2'],
    ['"1" | plus: "2"', '3'],
    ['2.5 | round', '3'],
    ['-2.5 | round', '-3'],
    ['1.005 | round: 2', '1.01'],
    ['3 | times: 4', '12'],

    ['"a" | append: "b"', 'ab'],
    ['"my dear Watson" | capitalize', 'My dear Watson'],
    ['"éa" | capitalize', 'Éa'],
    ['"Ab" | downcase', 'ab'],
    ['" a " | lstrip', 'a '],
    ['"a" | prepend: "b"', 'ba'],
    ['"abab" | remove: "a"', 'bb'],
    ['"abab" | remove_first: "a"', 'bab'],
    ['"abab" | replace: "a", "$&"', '$&b$&b'],
    ['"abab" | replace_first: "a", "$&"', '$&bab'],
    ['" a " | rstrip', ' a'],
    ['"abc" | size', '3'],
    // Characters are code points in every filter.
    ['"😀b" | size', '2'],
    ['"😀b" | slice: 0', '😀'],
    ['"😀b" | slice: -2, 2', '😀b'],
    ['"😀😀b" | truncate: 2, "…"', '😀…'],
    ['"😀b" | split: "" | size', '2'],
    ['"😀b" | split: "" | join: "-"', '😀-b'],
    ['"😀b" | replace: "", "-"', '😀-b'],
    ['"😀b" | first', '😀'],
    ['"b😀" | last', '😀'],
    ['"a,b,," | split: "," | size', '2'],
    ['"" | split: "," | size', '0'],
    ['nil | size', '0'],
    ['nil | json', 'null'],
    ['nobody | json', 'null'],
    ['THIS.note | json', 'null'],
    ['list | first | json', '"b"'],
    ['empty | json', '""'],
    ['"abcdef" | slice: 1', 'b'],
    ['"abcdef" | slice: -3, 2', 'de'],
    ['"abcdef" | slice: 4, 1000', 'ef'],
    ['"abc" | slice: -9', ''],
    ['list | slice: 1, 2', 'Ca'],
    ['"a,b" | split: "," | last', 'b'],
    ['" a " | strip', 'a'],
    ['"a\nb" | strip_newlines', 'ab'],
    ['"Ground control" | truncate: 9', 'Ground...'],
    ['"Ground control" | truncate: 9, ", etc"', 'Grou, etc'],
    ['"Ground" | truncate: 6', 'Ground'],
    ['"Ground" | truncate: 2', '...'],
    ['"a b c" | truncatewords: 2', 'a b...'],
    ['"a b c" | truncatewords: 3', 'a b c'],
    ['"a b c" | truncatewords: 2, "!"', 'a b!'],
    ['"Ab" | upcase', 'AB'],

    ['"<a & \'b\'>" | escape', '&lt;a &amp; &#39;b&#39;&gt;'],
    ['"&lt;a & b" | escape_once', '&lt;a &amp; b'],
    ['"A<" | link_to: "https://x.test/?a=1&b=2"', '<a href="https://x.test/?a=1&amp;b=2">A&lt;</a>'],
    ['"a\nb" | newline_to_br', 'a<br />\nb'],
    ['"<p>a</p>b" | strip_html', 'ab'],
    ['"a%20b+c" | url_decode', 'a b c'],
    ['"a b&c" | url_encode', 'a+b%26c'],

    ['list | compact | size', '4'],
    ['list | concat: list | size', '10'],
    ['list | first', 'b'],
    ['list | join: "-"', 'b-C-a--b'],
    ['"a b" | split: " " | join', 'a b'],
    ['list | last', 'b'],
    ['nodes | map: "name" | join: ","', 'Weir,dam,Bore'],
    ['list | compact | reverse | join: ","', 'b,a,C,b'],
    ['list | compact | sort | join: ","', 'C,a,b,b'],
    ['nodes | sort: "name" | map: "name" | join: ","', 'Bore,Weir,dam'],
    ['list | compact | sort_natural | join: ","', 'a,b,b,C'],
    ['nodes | sort_natural: "name" | map: "name" | join: ","', 'Bore,dam,Weir'],
    ['list | uniq | size', '4'],
    ['nodes | where: "kind", "gauge" | map: "name" | join: ","', 'Weir,dam'],
    ['nodes | where: "on" | map: "name" | join: ","', 'Weir'],

    ['nobody | default: "x"', 'x'],
    ['false | default: "x"', 'x'],
    ['THIS.empty | default: "x"', 'x'],
    ['THIS.none | default: "x"', 'x'],
    ['0 | default: "x"', '0'],
    ['hash | json', '{"one":1,"two":2}'],
    ['nobody | json', 'null'],

    ['NOW | date: "%Y-%m-%d %H:%M:%S"', '2024-05-15 10:47:23'],
    ['"now" | date: "%a %A %b %B %-d %j %y %p %s %%"', 'Wed Wednesday May May 15 136 24 AM 1715770043 %'],
    ['"today" | date: "%F %T %Z %z %e %I %l %^b %Q"', '2024-05-15 10:47:23 UTC +0000 15 10 10 MAY %Q'],
    ['"2024-01-05" | date: "%-m/%-d [%e] [%k]"', '1/5 [ 5] [ 0]'],
    ['nobody | date: "%Y"', ''],
    ['NOW | time', '2024-05-15 10:47:23'],
    ['NOW | time: "HH:mm"', '10:47'],
    ['"DAY-1D" | time: "DD MMM HH:mm"', '14 May 00:00'],
    ['NOW | time: "HH:mm Z", "australia/sydney"', '20:47 +10:00'],
    ['"2024-01-15T00:00:00Z" | time: "HH:mm", "Australia/Sydney"', '11:00'],
    ['"2024-01-15T00:00:00Z" | time: "HH:mm", "Australia/Sydney", false', '10:00'],
    ['nobody | time', ''],
    ['"2024-01-31T00:00:00Z" | time_plus: 1, "months"', '2024-02-29T00:00:00.000Z'],
    ['"2024-03-31T00:00:00Z" | time_minus: 1, "months"', '2024-02-29T00:00:00.000Z'],
    ['"2024-02-29T00:00:00Z" | time_plus: 1, "years"', '2025-02-28T00:00:00.000Z'],
    ['NOW | time_plus: 2, "weeks"', '2024-05-29T10:47:23.456Z'],
    ['NOW | time_minus: "1", "days"', '2024-05-14T10:47:23.456Z'],
    ['NOW | time_plus: 1, "hours"', '2024-05-15T11:47:23.456Z'],
    ['NOW | time_plus: -1, "minutes"', '2024-05-15T10:46:23.456Z'],
    ['NOW | time_plus: 1, "seconds"', '2024-05-15T10:47:24.456Z'],
    ['NOW | time_plus: 44, "milliseconds"', '2024-05-15T10:47:23.500Z'],
  ])('%s', (expression, expected) => expect(rendered(`{{ ${expression} }}`)).toBe(expected));

  test.each([
    ['1 | decimal: "0.0.0"', 'pattern'],
    ['1 | divided_by: 0', 'divided_by gives no number'],
    ['1 | modulo: 0', 'modulo gives no number'],
    ['"abc" | slice: "x"', 'start of slice'],
    ['"abc" | slice: 0, -1', 'length of slice'],
    ['"abc" | truncate: "x"', 'the length'],
    ['"abc" | truncatewords: 1.5', 'number of words'],
    ['"a" | link_to: "javascript:alert(1)"', 'link_to'],
    ['"%E0%A4%A" | url_decode', 'URI'],
    ['"nonsense" | time', 'the time'],
    ['"LAST-1D" | time', 'LAST'],
    ['NOW | time: "HH", "Mars/Olympus"', 'time zone'],
    ['"nonsense" | date: "%Y"', 'the date'],
    ['NOW | time_plus: "x", "days"', 'number of units'],
    ['NOW | time_plus: 1, "fortnights"', 'the unit'],
    ['NOW | time_plus: 999999999, "years"', 'out of range'],
  ])('refused: %s', (expression, message) => {
    expect(refused(`{{ ${expression} }}`)).toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(message),
    });
  });

  test('time prints in the zone of the reader where it names none', () => {
    const zone = effectiveZone('Asia/Kolkata', true, NOW_MS);
    const text = parseExpressions('{{ NOW | time: "HH:mm" }} {{ NOW | time: "HH:mm", "Etc/UTC" }}');
    expect(text.render(OBJECTS, { nowMs: NOW_MS, zone, work: MESSAGE_WORK })).toBe('16:17 10:47');
  });
});

describe('texts that explode', () => {
  const nested = (depth: number) => `${'{% for i in (1..100) %}'.repeat(depth)}x${'{% endfor %}'.repeat(depth)}`;
  const doubled = (what: string) => `{% assign a = ${what} %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`;

  test.each([
    ['loops in loops', nested(6)],
    ['loops in loops without anything to print', nested(6).replace('x', '')],
    ['a large range', '{% for i in (1..1000000000) %}{% endfor %}'],
    ['a range where numbers have no successor', '{% for i in (9007199254740992..9007199254740994) %}{% endfor %}'],
    ['a range outside of loops', '{{ (1..100000) | size }}'],
    ['a range in a condition', '{% if (1..100000) contains 5 %}{% endif %}'],
    ['a text that doubles', doubled('"xxxxxxxxxx"')],
    ['a list that doubles', `{% assign a = "1,2" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(40)}`],
    [
      'a list of one long text',
      `{% assign s = "${'x'.repeat(20_000)}" %}{% assign a = s | split: "|" %}${'{% assign a = a | concat: a %}'.repeat(12)}{{ a }}`,
    ],
    ['a replacement for each character', `{% assign s = "${'x'.repeat(10_000)}" %}{{ s | replace: "x", s }}`],
    ['a separator between each character', `{% assign s = "${'x'.repeat(10_000)}" %}{{ s | split: "" | join: s }}`],
    [
      'a wide date',
      '{% for i in (1..5000) %}{{ "now" | date: "%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c%c" }}{% endfor %}',
    ],
    [
      'captures of captures',
      `{% capture a %}xxxxxxxxxx{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}`,
    ],
    ['much text many times', `{% for i in (1..9999) %}${'x'.repeat(10_000)}{% endfor %}`],
    [
      'conditions many times',
      `{% for i in (1..9999) %}{% if ${'1 == 2 or '.repeat(5_000)} 1 == 2 %}{% endif %}{% endfor %}`,
    ],
    ['properties many times', `{% for i in (1..9999) %}{{ a${'.b'.repeat(20_000)} }}{% endfor %}`],
    ['arguments many times', `{% for i in (1..9999) %}{% cycle ${'1,'.repeat(20_000)} 1 %}{% endfor %}`],
    [
      'branches many times',
      `{% for i in (1..9999) %}{% case 1 %}{% when ${'2,'.repeat(20_000)} 2 %}{% endcase %}{% endfor %}`,
    ],
    ['a long property of many items', `{% assign a = (1..9999) %}{{ a | map: "${'b.'.repeat(20_000)}c" }}`],
    ['tables of tables', `${'{% tablerow i in (1..100) %}'.repeat(5)}${'{% endtablerow %}'.repeat(5)}`],
  ])('%s', (_what, source) => {
    const began = process.threadCpuUsage();
    expect(refused(source, DOCUMENT_WORK)).toMatchObject(refusal);
    // A wide bound: without limits each of these would run for minutes or take gigabytes.
    const { user, system } = process.threadCpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  test.each([
    ['tags in tags', `${'{% if true %}'.repeat(4_000)}${'{% endif %}'.repeat(2_000)}`],
    ['tags in tags, closed', `${'{% if true %}'.repeat(2_500)}${'{% endif %}'.repeat(2_500)}`],
    ['values in values', `{{ ${'a['.repeat(10_000)}1${']'.repeat(10_000)} }}`],
  ])('deep nesting: %s', (_what, source) => expect(refused(source)).toMatchObject(refusal));

  test('the same text comes to the same end each time', () => {
    const source = '{% for i in (1..300) %}{{ i }}{% endfor %}';
    const outcomes = Array.from({ length: 5 }, () => rendered(source));
    expect(new Set(outcomes).size).toBe(1);
    expect(refused(source, 5_000)).toMatchObject({ message: expect.stringContaining('too much work') });
  });

  test('one rendering leaves nothing for the next', () => {
    const text = parseExpressions('{% increment a %}{% cycle 1, 2 %}{% assign b = 1 %}{{ c }}{% assign c = 1 %}');
    const objects = {};
    const render = () => text.render(objects, { nowMs: NOW_MS, work: MESSAGE_WORK });
    expect([render(), render(), Object.keys(objects)]).toEqual(['01', '01', []]);
  });
});
