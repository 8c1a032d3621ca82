import { heldIn, sharesOf, stretchesOf } from './lanes.ts';

const WINDOW = { start: 100, end: 200 };
const at = (ms: number, text: string | null) => ({ ms, text });

test('a text holds from its record to the next one, within the window; a record without a value ends it', () => {
  const records = [at(50, 'ON'), at(120, 'OFF'), at(150, null), at(180, 'ON')];
  expect(heldIn(records, WINDOW, 190)).toEqual([
    { start: 100, end: 120, text: 'ON' },
    { start: 120, end: 150, text: 'OFF' },
    { start: 180, end: 190, text: 'ON' },
  ]);
});

test('the last text holds to the newest that is known, and not into the future', () => {
  expect(heldIn([at(150, 'ON')], WINDOW, 150)).toEqual([]);
  expect(heldIn([at(150, 'ON')], WINDOW, 900)).toEqual([{ start: 150, end: 200, text: 'ON' }]);
});

test('what changes too fast to be seen is one stretch that says how many there are, and long ones stay', () => {
  const fast = Array.from({ length: 6 }, (_, n) => ({ start: n, end: n + 1, text: n % 2 ? 'ON' : 'OFF' }));
  const stretches = stretchesOf([...fast, { start: 6, end: 100, text: 'ON' }], 2);
  expect(stretches.at(-1)).toEqual({ start: 6, end: 100, text: 'ON', count: 1 });
  expect(stretches.length).toBeLessThan(4);
  expect(stretches[0]).toMatchObject({ start: 0, text: undefined });
});

test('shares are by time, the longest first, and count how often a text began', () => {
  const held = [
    { start: 0, end: 10, text: 'ON' },
    { start: 10, end: 70, text: 'OFF' },
    { start: 70, end: 80, text: 'ON' },
  ];
  expect(sharesOf(held)).toEqual([
    { text: 'OFF', ms: 60, count: 1 },
    { text: 'ON', ms: 20, count: 2 },
  ]);
});
