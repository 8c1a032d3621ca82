/** Returns the same memory as a Buffer. The whole memory stays as long as its part does. */
export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** All fields without bytes share it: nothing can be changed in it. */
export const NO_BYTES: Buffer = Buffer.alloc(0);
