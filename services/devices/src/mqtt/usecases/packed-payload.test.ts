import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { SparkplugMetric, SparkplugPayload } from '@catchment/contracts/sparkplug';
import { UNPACKED_BYTES, UnpackedTooLarge, unpacked } from './packed-payload.ts';

const UUID = 'SPBV1.0_COMPRESSED';
const text = (name: string, value: string): SparkplugMetric =>
  SparkplugMetric.fromPartial({ name, datatype: 12, value: { $case: 'stringValue', value } } as object);
const encoded = (payload: Partial<SparkplugPayload>) =>
  Buffer.from(SparkplugPayload.encode({ metrics: [], ...payload }).finish());
const PLAIN = encoded({ timestamp: '1767323045000', seq: 7, metrics: [text('State', 'dry')] });
const packed = (body: Buffer, algorithm?: string, outer: Partial<SparkplugPayload> = {}) =>
  encoded({ uuid: UUID, body, metrics: algorithm === undefined ? [] : [text('algorithm', algorithm)], ...outer });

test.each<[string, Uint8Array]>([
  ['DEFLATE, with the head of zlib as Tahu writes it', packed(deflateSync(PLAIN), 'DEFLATE')],
  ['DEFLATE without a head', packed(deflateRawSync(PLAIN), 'deflate')],
  ['no algorithm', packed(deflateSync(PLAIN))],
  ['GZIP', packed(gzipSync(PLAIN), 'GZIP')],
  ['nothing: it is not packed', PLAIN],
])('a payload that is packed by %s', (_how, bytes) => {
  expect(SparkplugPayload.decode(unpacked(bytes))).toEqual(SparkplugPayload.decode(PLAIN));
});

test('time and sequence that only the outer payload has count', () => {
  const inner = encoded({ metrics: [text('State', 'dry')] });
  const outer = packed(gzipSync(inner), 'GZIP', { timestamp: '1767323045000', seq: 7 });
  expect(SparkplugPayload.decode(unpacked(outer))).toEqual(SparkplugPayload.decode(PLAIN));
});

test('a text that is called like the mark does not make a payload a packed one', () => {
  const bytes = encoded({ seq: 1, metrics: [text('State', UUID)] });
  expect(unpacked(bytes)).toBe(bytes);
});

test.each<[string, Uint8Array, RegExp]>([
  ['is packed twice', packed(gzipSync(packed(gzipSync(PLAIN), 'GZIP')), 'GZIP'), /packed twice/],
  ['has another algorithm', packed(PLAIN, 'BROTLI'), /algorithm BROTLI is not known/],
  ['is damaged', packed(gzipSync(PLAIN).subarray(0, 20), 'GZIP'), /unexpected end/],
  ['has no body', encoded({ uuid: UUID }), /unexpected end/],
])('a payload that %s is refused', (_what, bytes, message) => {
  expect(() => unpacked(bytes)).toThrow(message);
});

test.each([
  ['DEFLATE', deflateSync],
  ['GZIP', gzipSync],
] as const)('a bomb of %s is refused before it is unpacked', (algorithm, pack) => {
  const bytes = packed(pack(Buffer.alloc(32 * 1024 * 1024)), algorithm);
  const before = process.memoryUsage().arrayBuffers;
  expect(() => unpacked(bytes)).toThrow(UnpackedTooLarge);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * UNPACKED_BYTES);
});
