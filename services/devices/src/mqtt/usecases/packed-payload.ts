import { gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { type SparkplugMetric, SparkplugPayload } from '@catchment/contracts/sparkplug';

const PACKED = 'SPBV1.0_COMPRESSED';
/** A document that is written at once has the same limit. */
export const UNPACKED_BYTES = 4 * 1024 * 1024;

/** The payload would be larger than it may be once it is unpacked. */
export class UnpackedTooLarge extends Error {}

/**
 * Returns the payload that is packed in another one, as clients of Eclipse Tahu do; a payload that is not packed stays as it is.
 * @throws UnpackedTooLarge; Error when it cannot be unpacked
 */
export function unpacked(bytes: Uint8Array): Uint8Array {
  // Most are not: they are read once.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(PACKED)) return bytes;
  const outer = SparkplugPayload.decode(bytes);
  if (outer.uuid !== PACKED) return bytes;
  const inner = inflated(outer.body ?? new Uint8Array(0), algorithmOf(outer.metrics));
  if (SparkplugPayload.decode(inner).uuid === PACKED) throw new Error('it is packed twice');
  const { timestamp, seq } = outer;
  // A decoder keeps the last of two values of a field: what the inner payload leaves out is that of the outer one.
  return Buffer.concat([SparkplugPayload.encode({ timestamp, seq, metrics: [] }).finish(), inner]);
}

function algorithmOf(metrics: readonly SparkplugMetric[]): string {
  const value = metrics.find(({ name }) => name === 'algorithm')?.value;
  return value?.$case === 'stringValue' ? value.value.toUpperCase() : 'DEFLATE';
}

function inflated(body: Uint8Array, algorithm: string): Uint8Array {
  const options: ZlibOptions = { maxOutputLength: UNPACKED_BYTES };
  try {
    if (algorithm === 'GZIP') return gunzipSync(body, options);
    if (algorithm !== 'DEFLATE') throw new Error(`algorithm ${algorithm.slice(0, 40)} is not known: DEFLATE or GZIP`);
    return hasZlibHead(body) ? inflateSync(body, options) : inflateRawSync(body, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new UnpackedTooLarge(`payload: unpacked it has more than ${UNPACKED_BYTES} bytes`);
  }
}

/** RFC 1950, 2.2. */
const hasZlibHead = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
