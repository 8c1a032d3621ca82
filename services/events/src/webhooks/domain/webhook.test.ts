import { parseWebhookBody, readWebhook, type WebhookSettings } from './webhook.ts';

const STRICT = { allowsHttp: false, allowedRanges: [] };
const read = (body: unknown, current?: WebhookSettings, rules = STRICT) =>
  readWebhook(parseWebhookBody(Buffer.from(JSON.stringify(body))), current, rules);
const NEW = { name: 'Pager', url: 'https://hooks.example.org/in?team=1' };
const STORED = { name: 'Pager', url: 'https://hooks.example.org/in', filter: 'level($eq:ERROR)', isEnabled: false };

test('a new webhook is enabled and takes all events', () => {
  expect(read({ ...NEW, name: ' Pager ' })).toEqual({
    settings: { ...NEW, filter: '', isEnabled: true },
    skipsWaiting: false,
  });
});

test('only what is sent changes; null resets the filter', () => {
  expect(read({}, STORED).settings).toEqual(STORED);
  expect(read({ filter: null, enabled: true, skipWaiting: true }, STORED)).toEqual({
    settings: { ...STORED, filter: '', isEnabled: true },
    skipsWaiting: true,
  });
});

test.each([
  [[], 'body: must be a JSON object'],
  [{ url: NEW.url }, 'name: must be a text of 1 to 120 characters'],
  [{ ...NEW, name: ' ' }, 'name: must be a text of 1 to 120 characters'],
  [{ ...NEW, name: 'x'.repeat(121) }, 'name: must be a text of 1 to 120 characters'],
  [{ ...NEW, name: 'a\nb' }, 'name: must be a text of 1 to 120 characters'],
  [{ name: 'Pager' }, 'url: must be a URL of at most 2048 characters that begins with https://'],
  [{ ...NEW, url: null }, 'url: must be a URL'],
  [{ ...NEW, url: 'hooks.example.org' }, 'url: must be a URL'],
  [{ ...NEW, url: 'http://hooks.example.org' }, 'url: must be a URL'],
  [{ ...NEW, url: 'ftp://hooks.example.org' }, 'url: must be a URL'],
  [{ ...NEW, url: `https://hooks.example.org/${'x'.repeat(2_048)}` }, 'url: must be a URL'],
  [{ ...NEW, url: `https://hooks.example.org/${'ä'.repeat(1_000)}` }, 'url: must be a URL'],
  [{ ...NEW, url: 'https://jo:secret@hooks.example.org' }, 'url: must have no user and no password'],
  [{ ...NEW, url: 'https://hooks.example.org#part' }, 'url: must have no fragment'],
  [{ ...NEW, url: 'https://127.0.0.1/' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, url: 'https://2130706433/' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, url: 'https://127.0.0.1./' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, url: 'https://0x7f.1/' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, url: 'https://[::1]/' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, url: 'https://[::ffff:10.0.0.1]/' }, 'url: must not lead to a private or reserved address'],
  [{ ...NEW, filter: 5 }, 'filter: must be a text'],
  [{ ...NEW, filter: 'level($eq:' }, 'filter must have balanced parentheses'],
  [{ ...NEW, enabled: 'yes' }, 'enabled: must be true or false'],
] as const)('%j is refused: %s', (body, says) => {
  expect(() => read(body)).toThrow(says);
});

test('the operator may allow plain HTTP and ranges of addresses', () => {
  const rules = { allowsHttp: true, allowedRanges: [] };
  expect(read({ ...NEW, url: 'http://hooks.example.org' }, undefined, rules).settings.url).toBe(
    'http://hooks.example.org/',
  );
  expect(() => read({ ...NEW, url: 'http://127.0.0.1' }, undefined, rules)).toThrow('private or reserved');
});
