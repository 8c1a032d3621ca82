/** Packed little-endian doubles as a separate column: the bytes of a message may lie at any address. */
export function float64Of(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  const column = new Float64Array(Math.floor(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT));
  new Uint8Array(column.buffer).set(bytes.subarray(0, column.byteLength));
  return column;
}

/** Packed little-endian 32-bit integers. */
export function int32Of(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  const column = new Int32Array(Math.floor(bytes.byteLength / Int32Array.BYTES_PER_ELEMENT));
  new Uint8Array(column.buffer).set(bytes.subarray(0, column.byteLength));
  return column;
}
