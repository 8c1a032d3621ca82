import { withBackendLogins } from './index.ts';

test.each([
  ['a login', { NATS_USER: 'jo', NATS_PASSWORD: 'x' }, 'nats://jo:x@a:4222'],
  [
    'characters that a URL reserves',
    { NATS_USER: 'j@o', NATS_PASSWORD: "p:/?#[]@!$&'%" },
    "nats://j%40o:p%3A%2F%3F%23%5B%5D%40!%24%26'%25@a:4222",
  ],
  ['no login', {}, 'nats://a:4222'],
  ['a password without user', { NATS_PASSWORD: 'x' }, 'nats://a:4222'],
])('%s beside the URL becomes part of it', (_what, login, expected) => {
  expect(withBackendLogins({ NATS_URL: 'nats://a:4222', ...login })).toEqual({ ...login, NATS_URL: expected });
});

test('every URL of a list gets the login, arguments stay, one in the URL is replaced', () => {
  const login = { NATS_USER: 'u', NATS_PASSWORD: 'p' };
  expect(withBackendLogins({ ...login, NATS_URL: 'tls://old:one@a:1?tls_ca=/ca, tls://b:2' }).NATS_URL).toBe(
    'tls://u:p@a:1?tls_ca=/ca,tls://u:p@b:2',
  );
});

test('each server has its own, and the rest of the environment is kept', () => {
  const env = {
    OTHER: '1',
    DATABASE_URL: 'postgres://db/x',
    DATABASE_USER: 'd',
    DATABASE_PASSWORD: '1',
    INFLUX_URL: 'http://i:8086',
    INFLUX_USER: 'i',
    INFLUX_PASSWORD: '2',
  };
  expect(withBackendLogins(env)).toEqual({
    ...env,
    DATABASE_URL: 'postgres://d:1@db/x',
    INFLUX_URL: 'http://i:2@i:8086',
  });
});

test('without a URL there is nothing to complete', () => {
  expect(withBackendLogins({ DATABASE_USER: 'd' })).toEqual({ DATABASE_USER: 'd' });
});
