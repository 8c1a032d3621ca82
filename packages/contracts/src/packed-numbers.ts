import { NO_BYTES } from './bytes.ts';

/** Node keeps an array of so many bytes within its object; a larger one, and one of which somebody takes a view, has memory of its own, which costs several times as much. */
const SMALL_BYTES = 64;

const WORDS = new Float64Array(SMALL_BYTES / 8);
const BYTES = new Uint8Array(WORDS.buffer);
const HALVES = new Int32Array(WORDS.buffer);
const SHORTS = new Uint16Array(WORDS.buffer);

/** Returns packed little-endian numbers of a message as an array of their own: bytes of messages and rows are seldom aligned. */
export const floatsOf = (bytes: Uint8Array): Float64Array => numbersOf(bytes, Float64Array, WORDS);
export const int32sOf = (bytes: Uint8Array): Int32Array => numbersOf(bytes, Int32Array, HALVES);
export const uint16sOf = (bytes: Uint8Array): Uint16Array => numbersOf(bytes, Uint16Array, SHORTS);

type Numbers = Float64Array | Int32Array | Uint16Array;
type NumbersType<T> = { new (given: number | ArrayBuffer): T; readonly BYTES_PER_ELEMENT: number };

/** @throws RangeError where the bytes are no whole number of numbers */
function numbersOf<T extends Numbers>(bytes: Uint8Array, type: NumbersType<T>, scratch: T): T {
  const { byteLength } = bytes;
  const length = byteLength / type.BYTES_PER_ELEMENT;
  if (byteLength > SMALL_BYTES || !Number.isInteger(length)) return new type(copied(bytes));
  for (let n = 0; n < byteLength; n += 1) BYTES[n] = bytes[n] ?? 0;
  const numbers = new type(length);
  for (let n = 0; n < length; n += 1) numbers[n] = scratch[n] ?? 0;
  return numbers;
}

/** Returns the bytes of an array; it copies a small one. */
export function bytesOf(array: Float64Array | Int32Array | Uint16Array | Uint8Array): Buffer {
  const { byteLength } = array;
  if (byteLength === 0) return NO_BYTES;
  if (byteLength > SMALL_BYTES) return Buffer.from(array.buffer, array.byteOffset, byteLength);
  const scratch = scratchOf(array);
  for (let n = 0; n < array.length; n += 1) scratch[n] = array[n] ?? 0;
  const bytes = Buffer.allocUnsafe(byteLength);
  for (let n = 0; n < byteLength; n += 1) bytes[n] = BYTES[n] ?? 0;
  return bytes;
}

function scratchOf(array: Numbers | Uint8Array): Numbers | Uint8Array {
  if (array instanceof Float64Array) return WORDS;
  if (array instanceof Uint8Array) return BYTES;
  return array instanceof Uint16Array ? SHORTS : HALVES;
}

const copied = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
