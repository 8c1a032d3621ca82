import { REMOTE_LIMITS } from './remote-limits.ts';
import { textWithin } from './text-within.ts';

const LIMITS = { ...REMOTE_LIMITS.reply, maxBytes: 8 };

async function* pieces(...bytes: number[]): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

test.each([
  ['with as many bytes as there may be', new Response('12345678').body, '12345678'],
  ['with a letter in two pieces', pieces(0xc3, 0xa4), 'ä'],
  ['without a body', null, ''],
])('an answer %s is read', async (_what, body, expected) => {
  expect(await textWithin(body, LIMITS)).toBe(expected);
});

test('an answer with one byte more is given up', async () => {
  await expect(textWithin(new Response('123456789').body, LIMITS)).rejects.toThrow('answer has more than 8 bytes');
});
