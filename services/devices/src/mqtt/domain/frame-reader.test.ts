import { FrameReader } from './frame-reader.ts';
import { Ending } from './reason.ts';

const packet = (payload: number): Buffer => {
  const length: number[] = [];
  for (let rest = payload; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([0x30, ...length]), Buffer.alloc(payload, payload % 251)]);
};

test.each([1, 2, 3, 7, 64, 100_000])('packets are the same in pieces of %d bytes', (size) => {
  const packets = [0, 1, 127, 128, 300, 16_383, 16_384, 40_000, 0, 5].map(packet);
  const all = Buffer.concat(packets);
  const reader = new FrameReader(1e6);
  const read: Buffer[] = [];
  for (let at = 0; at < all.length; at += size) read.push(...reader.push(all.subarray(at, at + size)));
  expect(read.map((packet) => packet.toString('hex'))).toEqual(packets.map((packet) => packet.toString('hex')));
  expect(reader.pendingBytes).toBe(0);
});

test.each([
  ['a packet that is too long', Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), 0x95],
  ['a length of five bytes', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01]), 0x81],
])('%s ends the connection before its bytes come', (_what, bytes, code) => {
  const read = () => [...new FrameReader(1_000).push(bytes)];
  expect(read).toThrow(Ending);
  expect(read).toThrow(expect.objectContaining({ code }));
});
