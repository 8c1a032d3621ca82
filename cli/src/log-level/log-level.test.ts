import { duration } from './log-level-command.ts';

test.each([
  ['1s', 1],
  ['90s', 90],
  ['10m', 600],
  ['24h', 86_400],
])('%s is a time', (text, seconds) => expect(duration(text)).toBe(seconds));

test.each(['', '10', '0s', '25h', '1d', '-5m', '1.5h', '10 m'])('%j is none', (text) =>
  expect(() => duration(text)).toThrow('must be a time from 1s to 24h'),
);
