import { inSegments } from './segments.ts';

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test.each([
  ['pieces that are smaller', ['a', 'bc', 'd', 'e'], ['abc', 'de']],
  ['a piece that is larger', ['abcdefgh'], ['abc', 'def', 'gh']],
  ['pieces that end with a segment', ['abc', 'def'], ['abc', 'def']],
  ['no bytes', [''], []],
])('%s become segments of one size', async (_what, given, expected) => {
  const segments = await Array.fromAsync(inSegments(pieces(...given), 3));
  expect(segments.map(String)).toEqual(expected);
});

test('of a file in pieces of one byte, one segment is kept and no piece', async () => {
  const piece = Buffer.alloc(1);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const letter of 'abcde') {
      piece.write(letter);
      yield piece;
    }
  }
  const segments = await Array.fromAsync(inSegments(bytes(), 3));
  expect(segments.map(String)).toEqual(['abc', 'de']);
  expect(segments.map(({ buffer }) => buffer.byteLength)).toEqual([3, 3]);
});
