import { FLAG } from '@catchment/ingest-log';
import { column, NODE_ID } from '@catchment/testkit/columns';
import { TYPES } from '../../../test/series.ts';
import { quoted } from '../../influx/store/influxql.ts';
import { linesOf } from './line-protocol.ts';

const lines = (...columns: Parameters<typeof linesOf>[0] extends Iterable<infer C> ? C[] : never) =>
  [...linesOf(columns)].join('\n').split('\n');
const S = `h,s=${NODE_ID}`;

test('numbers alone', () => {
  expect(lines(column([5, -7]))).toEqual([`${S} v=1,p=8001i 5`, `${S} v=2,p=8001i -7`]);
});

test.each([
  [1e21, '1e+21'],
  [5e-324, '5e-324'],
  [-0, '0'],
  [0.1, '0.1'],
])('the number %d', (number, text) => {
  expect(lines(column([5], { numbers: Float64Array.of(number) }))).toEqual([`${S} v=${text},p=8001i 5`]);
});

test('the presence field says what of value, quality and annotation is live', () => {
  const flags = [
    FLAG.value,
    FLAG.value | FLAG.quality,
    FLAG.quality,
    FLAG.annotation,
    FLAG.value | FLAG.quality | FLAG.annotation,
    FLAG.valueNull | FLAG.qualityNull | FLAG.annotationNull,
    FLAG.deleteMarker,
  ];
  const mixed = column([0, 1, 2, 3, 4, 5, 6], {
    flags: Uint8Array.from(flags),
    qualities: Uint16Array.of(0, 100, 158, 0, 65_535, 0, 0),
    annotations: new Map([
      [3, 'n'],
      [4, 'a "b" \\'],
    ]),
  });
  expect(lines(mixed)).toEqual([
    `${S} p=8001i,v=1 0`,
    `${S} p=8003i,x=1048576i,v=2,q=100i 1`,
    `${S} p=8002i,x=1048576i,q=158i 2`,
    `${S} p=8004i,x=1048576i,a="n" 3`,
    `${S} p=8007i,x=1048576i,v=5,q=65535i,a="a \\"b\\" \\\\" 4`,
    `${S} p=8000i,x=1048576i 5`,
    `${S} p=8000i,x=1048576i 6`,
  ]);
});

test('marks show numbers below 0, and of everything but a number alone', () => {
  const numbers = Float64Array.of(-1.5, -0, 2);
  expect(lines(column([0, 1, 2], { numbers }))).toEqual([
    `${S} v=-1.5,x=1i,p=8001i 0`,
    `${S} v=0,p=8001i 1`,
    `${S} v=2,p=8001i 2`,
  ]);
  const mixed = { numbers, flags: Uint8Array.of(FLAG.value, FLAG.value | FLAG.quality, FLAG.value) };
  expect(lines(column([0, 1, 2], { ...mixed, qualities: Uint16Array.of(0, 9, 0) }))).toEqual([
    `${S} p=8001i,x=1i,v=-1.5 0`,
    `${S} p=8003i,x=1048576i,v=0,q=9i 1`,
    `${S} p=8001i,v=2 2`,
  ]);
  const kept = Uint8Array.of(FLAG.value);
  expect(lines({ ...column([0]), flags: Uint8Array.of(FLAG.qualityNull), kept })).toEqual([
    `${S} p=8001i,x=1048576i 0`,
  ]);
});

test('one flag for all records', () => {
  const gaps = column([1, 2], { flags: Uint8Array.of(FLAG.quality), qualities: Uint16Array.of(158, 158) });
  expect(lines(gaps)).toEqual([`${S} p=8002i,x=1048576i,q=158i 1`, `${S} p=8002i,x=1048576i,q=158i 2`]);
});

test('texts, times and coordinates have fields of their own', () => {
  expect(lines(column([1], { valueType: TYPES.TEXT, texts: ['a=b, c'] }))).toEqual([`${S} p=8001i,t="a=b, c" 1`]);
  expect(lines(column([1], { valueType: TYPES.TIME, numbers: Float64Array.of(-5) }))).toEqual([`${S} p=8001i,i=-5i 1`]);
  const place = { valueType: TYPES.COORDINATES, numbers: Float64Array.of(-33.5, 151) };
  expect(lines(column([1], place))).toEqual([`${S} p=8001i,la=-33.5,lo=151 1`]);
});

test('only quotes and backslashes are escaped', () => {
  expect(quoted('a\\"b\n,= é')).toBe('"a\\\\\\"b\n,= é"');
});

test('pieces stay small: 10 000 lines, or four million characters and the line that passes them', () => {
  const times = Array.from({ length: 12_000 }, (_, n) => n);
  expect([...linesOf([column(times)])].map((piece) => piece.split('\n').length)).toEqual([10_000, 2_000]);
  const long = column(times.slice(0, 500), { valueType: TYPES.TEXT, texts: Array(500).fill('x'.repeat(10_000)) });
  for (const piece of linesOf([long])) expect(piece.length).toBeLessThan(4_020_000);
  expect([...linesOf([column([])])]).toEqual([]);
});
