import { alarmsWork } from './work-queues.ts';

const workOf = (given: Record<string, string>) => alarmsWork({ arguments: given });

test('a list of alarms of the usual length finds a place beside all that are long', () => {
  expect(workOf({})).toMatchObject({ cost: 0.5 });
  expect(workOf({})).not.toHaveProperty('isBulk');
  expect(workOf({ limit: '500' })).toEqual(workOf({}));
  expect(workOf({ limit: '1000' })).toMatchObject({ cost: 1, isBulk: true });
});

test('pages of one list of alarms wait in one lane, other lists in lanes of their own', () => {
  expect(workOf({ limit: '1000', after: 'a' })).toEqual(workOf({ limit: '1000', after: 'b' }));
  expect(workOf({ limit: '1000', state: 'ACTIVE' }).lane).not.toBe(workOf({ limit: '1000' }).lane);
});

test('a limit that is refused later takes the place of a long list meanwhile', () => {
  expect(workOf({ limit: 'many' })).toMatchObject({ isBulk: true });
});
