import { tableKeys } from './keys.ts';

const NONE = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
function pressed(key: string, more: object = {}, at = 5, count = 20) {
  const done: string[] = [];
  const note =
    (what: string) =>
    (...given: unknown[]) =>
      done.push([what, ...given].join(' '));
  const isDone = tableKeys(
    { ...NONE, key, ...more },
    {
      page: 8,
      at,
      count,
      moveTo: note('move'),
      pick: note('pick'),
      pickAll: note('all'),
      pickNone: note('none'),
      open: note('open'),
      other: (other) => {
        note('other')(other);
        return other === 'a';
      },
    },
  );
  return [...done, isDone];
}

test.each([
  ['ArrowDown', {}, ['move 6', true]],
  ['j', {}, ['move 6', true]],
  ['k', {}, ['move 4', true]],
  ['PageDown', {}, ['move 13', true]],
  ['PageUp', {}, ['move -3', true]],
  ['Home', {}, ['move 0', true]],
  ['End', {}, ['move 19', true]],
  ['ArrowDown', { shiftKey: true }, ['move 6', 'pick 6 true', true]],
  [' ', {}, ['pick 5 false', true]],
  [' ', { shiftKey: true }, ['pick 5 true', true]],
  ['a', { ctrlKey: true }, ['all', true]],
  ['a', {}, ['other a', true]],
  ['x', {}, ['other x', false]],
  // Keys of the browser do what they do everywhere.
  ['c', { ctrlKey: true }, [false]],
  ['ArrowLeft', { altKey: true }, [false]],
  ['Enter', {}, ['open 5', true]],
  ['Escape', {}, ['none', true]],
])('the key %s with %j', (key, more, expected) => {
  expect(pressed(key, more)).toEqual(expected);
});

test('without rows keys do nothing, and the page does not scroll away', () => {
  expect([pressed('ArrowDown', {}, -1, 0), pressed(' ', {}, -1, 0), pressed('Enter', {}, -1, 0)]).toEqual([
    [true],
    [false],
    [false],
  ]);
});
