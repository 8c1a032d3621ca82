import { envReader, natsPrefix, natsUrl } from './index.ts';

test.each(['nats://a:4222', 'tls://u:p@a:4222?tls_ca=/ca.crt', 'nats://a:1, nats://b:2'])('%s is a broker', (url) => {
  const read = envReader({ NATS_URL: url, NATS_PREFIX: 'trial-2' });
  expect([natsUrl(read), natsPrefix(read)]).toEqual([url, 'trial-2']);
  expect(() => read.done()).not.toThrow();
});

const NONE = ['u:hunter2@a:4222', 'nats://u:hunter2@a:port', 'nats://a:1,', 'http://u:hunter2@a', 'nats://', ''];
test.each(NONE)('%j is none: the variable is named, and no password', (url) => {
  const read = envReader({ NATS_URL: url, NATS_PREFIX: 'a.b' });
  natsUrl(read);
  natsPrefix(read);
  expect(() => read.done()).toThrow(/NATS_URL must be.*\n.*NATS_PREFIX must be letters, digits, - and _$/);
  expect(() => read.done()).not.toThrow('hunter2');
});
