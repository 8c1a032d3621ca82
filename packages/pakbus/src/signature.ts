const SEED = 0xaaaa;

/** A byte shifted out at the left comes in again at the right. */
const rotated = (signature: number): number => {
  const shifted = (signature << 1) & 0x1ff;
  return shifted >= 0x100 ? shifted + 1 : shifted;
};

/**
 * Returns the signature of bytes: 16 bits, much like a checksum (BMP5 Transparent Commands, appendix B).
 * @param seed the signature of what came before, where the bytes are the rest of something
 */
export function signatureOf(bytes: Uint8Array, seed: number = SEED): number {
  let signature = seed;
  for (const byte of bytes) {
    const next = (rotated(signature) + (signature >> 8) + byte) & 0xff;
    signature = next | ((signature << 8) & 0xff00);
  }
  return signature;
}

/** Returns two bytes that make the signature of what they end 0. */
export function nullifierOf(signature: number): Uint8Array {
  const first = -(rotated(signature) + (signature >> 8)) & 0xff;
  const after = signatureOf(Uint8Array.of(first), signature);
  return Uint8Array.of(first, -(rotated(after) + (after >> 8)) & 0xff);
}
