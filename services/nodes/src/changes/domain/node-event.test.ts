import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { cutMessage } from './node-event.ts';

const LONGEST = 'a'.repeat(EVENT_MESSAGE_MAX);

test.each([
  ['a short one stays', 'Created Node', 'Created Node'],
  ['the longest one stays', LONGEST, LONGEST],
  ['a longer one is cut', `${LONGEST}b`, LONGEST],
  ['a character of two code units counts once', '🌧'.repeat(EVENT_MESSAGE_MAX), '🌧'.repeat(EVENT_MESSAGE_MAX)],
  ['and is never cut in two', `${'🌧'.repeat(EVENT_MESSAGE_MAX)}🌧`, '🌧'.repeat(EVENT_MESSAGE_MAX)],
])('a message of an event: %s', (_what, message, expected) => {
  expect(cutMessage(message)).toBe(expected);
});
