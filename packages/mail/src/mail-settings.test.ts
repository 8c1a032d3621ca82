import { envReader } from '@catchment/config';
import { readMailSettings } from './mail-settings.ts';

const FROM = 'Catchment <catchment@example.org>';

test('without a server there are no settings, and nothing else is asked for', () => {
  const read = envReader({ SMTP_FROM: 'nonsense', SMTP_USER: 'jo' });
  expect(readMailSettings(read)).toBeUndefined();
  expect(() => read.done()).not.toThrow();
});

test.each([
  ['smtp://mail.test', {}, { host: 'mail.test', port: 587, security: 'offered', login: undefined }],
  ['smtps://mail.test', {}, { port: 465, security: 'tls' }],
  ['smtp://[::1]:25', {}, { host: '::1', port: 25 }],
  [
    'smtp://mail.test',
    { SMTP_USER: 'u', SMTP_PASSWORD: 'p' },
    { security: 'required', login: { user: 'u', password: 'p' } },
  ],
  ['smtp://a%40b:p%2Fw@mail.test', {}, { security: 'required', login: { user: 'a@b', password: 'p/w' } }],
  ['smtp://mail.test', { SMTP_USER: 'u', SMTP_TLS: 'off' }, { security: 'off', login: { user: 'u', password: '' } }],
  ['smtp://mail.test', { SMTP_TLS: 'required' }, { security: 'required' }],
])('%s with %j', (url, more, expected) => {
  const read = envReader({ SMTP_URL: url, SMTP_FROM: FROM, ...more });
  expect(readMailSettings(read)).toMatchObject({ from: FROM, ...expected });
  read.done();
});

test.each([
  ['SMTP_URL', { SMTP_URL: 'http://mail.test' }],
  ['SMTP_FROM must be set', { SMTP_FROM: undefined }],
  ['SMTP_FROM', { SMTP_FROM: 'nobody' }],
  ['SMTP_FROM', { SMTP_FROM: 'a@b.c\r\nBcc: x@y.z' }],
  ['SMTP_TLS', { SMTP_TLS: 'maybe' }],
])('a start is refused, naming %s and no value: %j', (problem, change) => {
  const read = envReader({ SMTP_URL: 'smtp://mail.test', SMTP_FROM: FROM, ...change });
  readMailSettings(read);
  expect(() => read.done()).toThrow(problem);
});
