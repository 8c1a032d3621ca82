import { callbackIdIn } from './callback-id.ts';

const of = (text: string, isPacketOver = false) => {
  const found = callbackIdIn(Buffer.from(text, 'latin1'), isPacketOver);
  return typeof found === 'object' ? { ...found, rest: Buffer.from(found.rest).toString('latin1') } : found;
};
const KEY = '490154203237518';

test.each([
  ['a line', `${KEY}\n`, { deviceKey: KEY, rest: '' }],
  ['a line of CR LF', `${KEY}\r\n`, { deviceKey: KEY, rest: '' }],
  ['a line of CR', `${KEY}\r`, { deviceKey: KEY, rest: '' }],
  ['a number of 12 digits', '123456789012\n', { deviceKey: '123456789012', rest: '' }],
  ['a line with a name before the key', `IMEI:${KEY}\r\n`, { deviceKey: KEY, rest: '' }],
  ['a line with a secret', `${KEY} s3cret!\n`, { deviceKey: KEY, secret: 's3cret!', rest: '' }],
  ['bytes after the line belong to the pipe', `${KEY}\n\xbd\xa0`, { deviceKey: KEY, rest: '\xbd\xa0' }],
  ['a line that has none', 'GET / HTTP/1.1\r\n', undefined],
  ['13 digits', '1234567890123\n', undefined],
  ['16 digits', `1${KEY}\n`, undefined],
  ['half a key', '4901542032', 'more'],
  ['a whole key of which more digits may come', '123456789012', 'more'],
  ['64 bytes without an end', 'x'.repeat(64), undefined],
  ['nothing', '', 'more'],
])('%s', (_what, text, expected) => {
  expect(of(text)).toEqual(expected);
});

test.each([
  ['a packet with the key alone', KEY, { deviceKey: KEY, rest: '' }],
  ['a packet with the key among other bytes', `\x01\x02${KEY}\xff`, { deviceKey: KEY, rest: '' }],
  ['a packet without one', '\x16\x03\x01hello', undefined],
])('%s, once nothing follows', (_what, text, expected) => {
  expect(of(text, true)).toEqual(expected);
});
