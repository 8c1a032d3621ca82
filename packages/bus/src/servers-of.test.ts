import { serversOf } from './servers-of.ts';

test.each([
  ['one server', 'nats://a:4222', { servers: ['nats://a:4222'] }],
  ['a login', 'nats://j%40o:p%2F@a:4222', { servers: ['nats://a:4222'], user: 'j@o', pass: 'p/' }],
  [
    'several servers share the login',
    'nats://u:p@a:1, nats://u:p@b:2',
    { servers: ['nats://a:1', 'nats://b:2'], user: 'u', pass: 'p' },
  ],
  ['TLS with the public authorities', 'tls://a:4222', { servers: ['tls://a:4222'], tls: {} }],
  [
    'authorities and a certificate of our own',
    'tls://a:4222?tls_ca=/ca.crt&tls_cert=/tls.crt&tls_key=/tls.key',
    { servers: ['tls://a:4222'], tls: { caFile: '/ca.crt', certFile: '/tls.crt', keyFile: '/tls.key' } },
  ],
])('%s', (_what, url, expected) => {
  expect(serversOf(url)).toEqual(expected);
});
