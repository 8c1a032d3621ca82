import { bytesOf, floatsOf, int32sOf, uint16sOf } from './packed-numbers.ts';

const LENGTHS = [0, 1, 7, 8, 9, 16, 17, 33, 1_000];

test.each(LENGTHS)('%i numbers come back from their bytes, wherever these lie', (length) => {
  const of = <T>(
    type: { from(given: { length: number }, of: (_: unknown, n: number) => number): T },
    factor: number,
  ): T => type.from({ length }, (_, n) => (n - 3) * factor);
  const [floats, int32s, uint16s] = [of(Float64Array, 1.1), of(Int32Array, 70_001), of(Uint16Array, 5)];
  expect(floatsOf(unaligned(bytesOf(floats)))).toEqual(floats);
  expect(int32sOf(unaligned(bytesOf(int32s)))).toEqual(int32s);
  expect(uint16sOf(unaligned(bytesOf(uint16s)))).toEqual(uint16s);
  expect([...bytesOf(new Uint8Array(uint16s))]).toEqual([...new Uint8Array(uint16s)]);
});

test('NaN, infinities, zeros and large numbers keep their bits', () => {
  const floats = Float64Array.of(Number.NaN, -0, Number.POSITIVE_INFINITY, 1e308, 5e-324);
  expect(floatsOf(bytesOf(floats))).toEqual(floats);
  expect(bytesOf(floats).equals(Buffer.from(floats.slice().buffer))).toBe(true);
});

test('a part of an array is its own bytes', () => {
  const floats = Float64Array.from({ length: 40 }, (_, n) => n);
  expect(floatsOf(bytesOf(floats.subarray(30, 32)))).toEqual(Float64Array.of(30, 31));
  expect(floatsOf(bytesOf(floats.subarray(10, 30)))).toEqual(floats.slice(10, 30));
});

test.each([7, 12, 65])('%i bytes are no doubles', (length) => {
  expect(() => floatsOf(new Uint8Array(length))).toThrow(RangeError);
});

const unaligned = (bytes: Uint8Array): Uint8Array => {
  const memory = new Uint8Array(bytes.length + 3);
  memory.set(bytes, 3);
  return memory.subarray(3);
};
