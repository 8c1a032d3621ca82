/** Returns the same memory as a Buffer. The whole memory stays as long as its part does. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
