import { Deframer, frame, PACKET_BYTES } from './framing.ts';
import { seeded } from './simulator/index.ts';

const random = seeded(1);
const below = (limit: number) => Math.floor(random() * limit);
/** Makes bytes of which many must be quoted. */
const someBytes = (length: number) =>
  Uint8Array.from({ length }, () => (random() < 0.3 ? 0xbb + below(4) : below(256)));
/** Cut anywhere. */
function pieces(bytes: Uint8Array): Uint8Array[] {
  const cut = below(bytes.length + 1);
  return random() < 0.2 || bytes.length < 2 ? [bytes] : [bytes.subarray(0, cut), ...pieces(bytes.subarray(cut))];
}
const packetsOf = (deframer: Deframer, bytes: Uint8Array) => pieces(bytes).flatMap((piece) => deframer.push(piece));

test('whatever is framed is found again, wherever the line cuts it', () => {
  for (let n = 0; n < 300; n++) {
    const packets = Array.from({ length: 1 + below(4) }, () => someBytes(PACKET_BYTES.min + below(200)));
    const found = packetsOf(new Deframer(), Buffer.concat(packets.map(frame)));
    expect(found).toEqual(packets);
  }
});

test('a damaged packet is dropped, and the next one found', () => {
  let lost = 0;
  for (let n = 0; n < 500; n++) {
    const [first, second] = [someBytes(40), someBytes(40)];
    const framed = frame(first).slice();
    const at = 1 + below(framed.length - 2);
    framed[at] = (framed[at]! + 1 + below(255)) & 0xff;
    const found = packetsOf(new Deframer(), Buffer.concat([framed, frame(second)]));
    expect(found.at(-1)).toEqual(second);
    if (found.length === 1) lost++;
  }
  // The signature has 16 bits: of damage to one byte it finds all.
  expect(lost).toBe(500);
});

test('noise of any length gives nothing, and what follows is found', () => {
  const deframer = new Deframer();
  const packet = someBytes(100);
  expect(packetsOf(deframer, someBytes(100_000)).length).toBe(0);
  expect(packetsOf(deframer, Buffer.concat([Uint8Array.of(0xbd), frame(packet)]))).toEqual([packet]);
});

test.each([
  ['the longest packet', PACKET_BYTES.max - 2, 1],
  ['one byte more', PACKET_BYTES.max - 1, 0],
  ['three bytes', 3, 0],
])('%s', (_what, length, count) => {
  const deframer = new Deframer();
  expect(deframer.push(frame(someBytes(length))).length).toBe(count);
  expect(deframer.dropped).toBe(1 - count);
});
