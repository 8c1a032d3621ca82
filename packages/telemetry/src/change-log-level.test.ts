import { Writable } from 'node:stream';
import { vi } from 'vitest';
import { changeLogLevel, createLogger, readLogLevelChange, takeLogLevelChange } from './index.ts';

const lines: { level: string; msg: string }[] = [];
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('a level that was changed is that of the setting again after its time, and the log reports both', () => {
  const log = createLogger('test', { level: 'warn', destination });
  changeLogLevel(log, { level: 'debug', seconds: 10 });
  log.debug('seen');
  vi.advanceTimersByTime(10_000);
  log.info('not seen');
  expect(lines.map(({ msg }) => msg)).toEqual(['log level changed', 'seen', 'log level is that of the setting again']);
});

test('a later change replaces an earlier one; the setting stays the setting', () => {
  const log = createLogger('test', { level: 'info', destination });
  changeLogLevel(log, { level: 'debug', seconds: 10 });
  changeLogLevel(log, { level: 'silent', seconds: 60 });
  vi.advanceTimersByTime(30_000);
  log.error('not seen');
  vi.advanceTimersByTime(30_000);
  log.info('seen');
  expect(lines.at(-1)?.msg).toBe('seen');
  expect(lines.map(({ msg }) => msg)).not.toContain('not seen');
});

test.each([
  ['no JSON', 'debug', undefined],
  ['no object', 'null', undefined],
  ['an unknown level', '{"service":"all","level":"trace","seconds":1}', undefined],
  ['no time', '{"service":"all","level":"debug"}', undefined],
  ['for ever', '{"service":"all","level":"debug","seconds":86401}', undefined],
  ['a change', '{"service":"all","level":"debug","seconds":60}', { service: 'all', level: 'debug', seconds: 60 }],
])('a message is read with care: %s', (_what, text, expected) =>
  expect(readLogLevelChange(Buffer.from(text))).toEqual(expected),
);

test.each([
  ['of this service', '{"service":"render","level":"debug","seconds":60}', true],
  ['of all', '{"service":"all","level":"debug","seconds":60}', true],
  ['of another', '{"service":"gateway","level":"debug","seconds":60}', false],
  ['that is none', '', false],
])('a change %s is taken over: %s', (_what, text, isTaken) => {
  const log = createLogger('render', { level: 'warn', destination });
  expect(takeLogLevelChange(log, 'render', Buffer.from(text))).toBe(isTaken);
  expect(log.level).toBe(isTaken ? 'debug' : 'warn');
});
