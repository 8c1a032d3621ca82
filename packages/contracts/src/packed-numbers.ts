/** Packed little-endian numbers of a message as an array of their own: bytes of messages and rows are seldom aligned. */
export const floatsOf = (bytes: Uint8Array): Float64Array => new Float64Array(copied(bytes));
export const int32sOf = (bytes: Uint8Array): Int32Array => new Int32Array(copied(bytes));

export const bytesOf = (array: Float64Array | Int32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

const copied = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
