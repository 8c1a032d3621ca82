import { ValueType } from '@catchment/contracts/nodes';
import { FLAG } from '@catchment/ingest-log';
import type { QualityOfValue } from '../../series/domain/series-node.ts';
import { ColumnBuilder } from './column-builder.ts';

const NUMBER = ValueType.VALUE_TYPE_NUMBER;
const build = (type: ValueType, fields: readonly unknown[], qualityOf?: QualityOfValue) => {
  const builder = new ColumnBuilder(type, fields.length, qualityOf);
  for (const [row, field] of fields.entries()) builder.add(row, field, row, '0');
  return builder.build(Float64Array.from(fields, (_, row) => row));
};

test.each([
  ['a number', { v: 1.5 }, FLAG.value, 1.5],
  ['true', { v: true }, FLAG.value, 1],
  ['false', { v: false }, FLAG.value, 0],
  ['a value of null', { v: null }, FLAG.valueNull, Number.NaN],
  ['an infinite number, stored as no value', { v: Number.POSITIVE_INFINITY }, FLAG.valueNull, Number.NaN],
  ['a quality alone', { q: 158 }, FLAG.quality, Number.NaN],
  ['a quality of 0.0', { v: 1, q: 0.0 }, FLAG.value | FLAG.quality, 1],
  ['quality null', { v: 1, q: null }, FLAG.value | FLAG.qualityNull, 1],
  ['an annotation', { v: 1, a: 'x' }, FLAG.value | FLAG.annotation, 1],
  ['annotation null', { v: 1, a: null }, FLAG.value | FLAG.annotationNull, 1],
  ['an empty annotation, as null', { v: 1, a: '' }, FLAG.value | FLAG.annotationNull, 1],
  ['everything', { v: 1, q: 65_535, a: 'x' }, FLAG.value | FLAG.quality | FLAG.annotation, 1],
  ['a delete marker', null, FLAG.deleteMarker, Number.NaN],
])('%s', (_what, field, flags, number) => {
  const built = build(NUMBER, [field]);
  expect([...built.flags]).toEqual([flags]);
  expect([...built.numbers]).toEqual([number]);
});

test('types other than numbers', () => {
  expect(build(ValueType.VALUE_TYPE_TEXT, [{ v: 'a' }, { q: 1 }, { v: '' }]).texts).toEqual(['a', '', '']);
  expect([...build(ValueType.VALUE_TYPE_TIME, [{ v: { $time: '1970-01-01T00:00:01Z' } }]).numbers]).toEqual([1000]);
  const places = build(ValueType.VALUE_TYPE_COORDINATES, [{ v: { $coords: [-90, 180] } }, { q: 1 }, { v: [1, 2] }]);
  expect([...places.numbers]).toEqual([-90, 180, Number.NaN, Number.NaN, 1, 2]);
});

test('500 characters outside the basic plane are a good annotation, 10 000 a good text', () => {
  expect(build(NUMBER, [{ a: '😀'.repeat(500) }]).annotations.size).toBe(1);
  expect(build(ValueType.VALUE_TYPE_TEXT, [{ v: '😀'.repeat(10_000) }]).texts).toHaveLength(1);
  expect(() => build(ValueType.VALUE_TYPE_TEXT, [{ v: '😀'.repeat(10_001) }])).toThrow('at most 10000 characters');
});

test('the quality of the state goes to records that have a value and no quality of their own', () => {
  const built = build(
    NUMBER,
    [{ v: 5 }, { v: 50 }, { v: 50, q: 7 }, { q: 3 }, { v: null }, { v: 50, q: null }],
    (value) => (Number(value) > 10 ? 99 : undefined),
  );
  expect([...built.qualities]).toEqual([0, 99, 7, 3, 0, 99]);
  expect([...built.flags]).toEqual([
    FLAG.value,
    FLAG.value | FLAG.quality,
    FLAG.value | FLAG.quality,
    FLAG.quality,
    FLAG.valueNull,
    FLAG.value | FLAG.quality,
  ]);
});

test('the same row again replaces the whole record', () => {
  const builder = new ColumnBuilder(NUMBER, 2, undefined);
  builder.add(0, { v: 1, q: 5, a: 'x' }, 0, '0');
  builder.add(0, { v: 2 }, 1, '0');
  builder.add(1, { v: 3, q: 5, a: 'x' }, 2, '0');
  builder.add(1, null, 3, '0');
  const built = builder.build(Float64Array.of(10, 20));
  expect([...built.numbers]).toEqual([2, Number.NaN]);
  expect([...built.flags]).toEqual([FLAG.value, FLAG.deleteMarker]);
  expect([...built.qualities]).toEqual([0, 0]);
  expect(built.annotations.size).toBe(0);
});

test('rows without a record leave no hole', () => {
  const builder = new ColumnBuilder(NUMBER, 5, undefined);
  builder.add(0, { v: 1 }, 0, '0');
  builder.add(3, { v: 2, a: 'x' }, 3, '0');
  const built = builder.build(Float64Array.of(10, 20, 30, 40, 50));
  expect([...built.timestamps]).toEqual([10, 40]);
  expect([...built.numbers]).toEqual([1, 2]);
  expect([...built.annotations]).toEqual([[1, 'x']]);
});
