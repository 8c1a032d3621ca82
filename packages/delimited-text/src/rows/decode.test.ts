import { decodeText, type Encoding, type FoundEncoding } from './decode.ts';

async function decoded(bytes: Uint8Array, encoding: Encoding | undefined, pieceBytes: number) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  let text = '';
  let by: FoundEncoding | undefined;
  let isDamaged = false;
  const found = (encoding: FoundEncoding) => {
    by = encoding;
  };
  const undecodable = () => {
    isDamaged = true;
  };
  for await (const piece of decodeText(pieces(), { encoding, found, undecodable })) text += piece;
  return { text, by, isDamaged };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');

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
    ['UTF-8', Buffer.from('a\n\ufeffb\n'), 'a\nb\n'],
  ] as const)('%s decodes %p', async (encoding, bytes, expected) => {
    const { text, isDamaged } = await decoded(bytes, encoding, pieceBytes);
    expect([text, isDamaged]).toEqual([expected, expected.includes('\ufffd')]);
  });

  test.each([
    ['UTF-8', 'BYTES', Buffer.from('23 °C'), '23 °C'],
    ['UTF-8', 'BOM', Buffer.from('\ufeff23 °C'), '23 °C'],
    ['UTF-8', 'BYTES', Buffer.from('plain'), 'plain'],
    ['UTF-8', 'BYTES', Buffer.alloc(0), ''],
    ['windows-1252', 'GUESS', latin1('23 °C'), '23 °C'],
    ['windows-1252', 'GUESS', latin1('23 °'), '23 °'],
    ['UTF-16LE', 'BYTES', Buffer.from('23 °C,µ\n', 'utf16le'), '23 °C,µ\n'],
    ['UTF-16BE', 'BYTES', utf16be('23 °C,µ\n'), '23 °C,µ\n'],
    ['UTF-16LE', 'BOM', Buffer.from('\ufeff23', 'utf16le'), '23'],
    ['UTF-8', 'BYTES', Buffer.from('a,1\n\0\0\0\0\0\0\0\0b,2\n'), 'a,1\n\0\0\0\0\0\0\0\0b,2\n'],
    ['UTF-8', 'BYTES', Buffer.concat([Buffer.from('µ µ µ '), latin1('°')]), 'µ µ µ \ufffd'],
  ] as const)('without a setting it is %s by its %s', async (encoding, by, bytes, expected) => {
    const found = await decoded(bytes, undefined, pieceBytes);
    expect([found.text, found.by]).toEqual([expected, { encoding, by }]);
  });
});

test.each([
  ['UTF-8', Buffer.from('°')],
  ['windows-1252', latin1('°')],
] as const)('a file that is ASCII for long is open until its first other character: %s', async (encoding, last) => {
  const { text, by } = await decoded(Buffer.concat([Buffer.alloc(200_000, 'a'), last]), undefined, 65_536);
  expect([text.length, text.at(-1), by?.encoding]).toEqual([200_001, '°', encoding]);
});

test('refuses an unknown encoding', async () => {
  await expect(decoded(Buffer.from('a'), 'EBCDIC' as Encoding, 1)).rejects.toThrow('encoding: must be one of UTF-8');
});
