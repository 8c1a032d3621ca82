import { checkKnownAttributes, nearestAttribute } from './known-attributes.ts';

test.each([
  ['unit', 'units'],
  ['Units', 'units'],
  ['customid', 'customId'],
  ['parent', 'parentId'],
  ['desciption', 'description'],
  ['timeZone', 'timezone'],
  ['multipler', 'multiplier'],
  ['isEnable', 'isEnabled'],
  ['meta_data', 'metadata'],
  ['currentVaule', 'currentValue'],
])('nearest to %s is %s', (name, nearest) => {
  expect(nearestAttribute(name)).toBe(nearest);
});

test.each([
  [{ name: 'A', colour: 'red' }, /^colour: is not an attribute of any node; the nearest one is \w+$/],
  [{ unit: 'm' }, /^unit: is not an attribute of any node; the nearest one is units$/],
  [{ ['x'.repeat(5_000)]: 1 }, /^x{60}: is not an attribute/],
  [{ '': 1 }, /^: is not an attribute/],
])('%j is refused by name', (body, message) => {
  expect(() => checkKnownAttributes(body)).toThrow(message);
});

test('what is only read, what other classes have and what is null is not refused here', () => {
  expect(() =>
    checkKnownAttributes({ _id: 'x', currentValue: 1, lastCommsAttempt: 'x', units: 'm', children: [], colour: null }),
  ).not.toThrow();
});
