import { encodeFrame, FrameReader, MAX_FRAME_BYTES } from './frames.ts';

test('frames are read whole, wherever the bytes were cut', () => {
  const frames = [
    { head: { type: 'a' }, body: 'ä'.repeat(50) },
    { head: { n: 1 }, body: '' },
    { head: {}, body: '{"x":1}' },
  ];
  const bytes = Buffer.concat(frames.map(({ head, body }) => encodeFrame(head, body)));
  for (const size of [1, 3, 7, 64, bytes.length]) {
    const reader = new FrameReader();
    const read = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)));
    expect(read).toEqual(frames);
  }
});

test.each([
  ['too large', [0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]],
  ['no JSON', [1, 0, 0, 0, 0, 0, 0, 0, 0x78]],
  ['no head', [1, 0, 0, 0, 0, 0, 0, 0, 0x35]],
])('bytes that are no frame are refused: %s', (_what, bytes) => {
  expect(() => [...new FrameReader().read(Buffer.from(bytes))]).toThrow();
  expect(MAX_FRAME_BYTES).toBe(16 * 1024 * 1024);
});
