import { isLive } from './remote-session.ts';

test.each([
  ['LISTENING', 99, true],
  ['CONNECTED', 99, true],
  ['OPENING', 99, true],
  ['LISTENING', 100, false],
  ['CLOSED', 99, false],
] as const)('%s at %d of 100: live %s', (state, nowMs, expected) => {
  expect(isLive({ state, endsMs: 100 }, nowMs)).toBe(expected);
});
