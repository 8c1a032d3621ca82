import { decodeText, type Encoding } from './decode.ts';

async function decoded(bytes: Uint8Array, encoding: Encoding, pieceBytes: number): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  let text = '';
  for await (const piece of decodeText(pieces(), encoding)) text += piece;
  return text;
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe.each([1, 2, 3, 1000])('in pieces of %i bytes', (pieceBytes) => {
  test.each([
    ['UTF-8', Buffer.from('23 °C €'), '23 °C €'],
    ['UTF-8', Buffer.from('\ufeffa,b'), 'a,b'],
    ['windows-1252', Buffer.from('\ufeff€'), '€'],
    ['ISO-8859-1', Buffer.from([0x32, 0xb0, 0x80]), '2°\u0080'],
    ['windows-1252', Buffer.from([0x32, 0xb0, 0x80]), '2°€'],
    ['UTF-16LE', Buffer.from('µ,€', 'utf16le'), 'µ,€'],
    ['UTF-16BE', utf16be('µ,€'), 'µ,€'],
    ['UTF-8', utf16be('\ufeffµ'), 'µ'],
    ['UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['UTF-8', Buffer.from([0x61, 0xe2, 0x82]), 'a\ufffd'],
    ['UTF-8', Buffer.from('a'), 'a'],
    ['UTF-8', Buffer.alloc(0), ''],
  ] as const)('%s decodes %p', async (encoding, bytes, expected) => {
    expect(await decoded(bytes, encoding, pieceBytes)).toBe(expected);
  });
});

test('refuses an unknown encoding', async () => {
  await expect(decoded(Buffer.from('a'), 'EBCDIC' as Encoding, 1)).rejects.toThrow('encoding: must be one of UTF-8');
});
