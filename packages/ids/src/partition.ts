const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a, 32 bit, over the UTF-8 bytes of `text`: an unsigned integer. */
export function fnv1a32(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return fnv1a32OfBytes(Buffer.from(text, 'utf8'));
    hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  return hash >>> 0;
}

function fnv1a32OfBytes(bytes: Uint8Array): number {
  let hash = FNV_OFFSET;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** Applies the finaliser of MurmurHash3: every input bit reaches every output bit. */
function mix32(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Returns the partition of the ingest log that a source always falls into, 0-based: FNV-1a (32 bit) of the lower-case id, mixed
 * by MurmurHash3's finaliser, modulo `partitions`. Without the finaliser the low bits of FNV-1a see only the low bits of
 * the hex digits, and ids made in a row crowd in a few partitions.
 * Data that is in flight depends on it: never change the function, and change `partitions` only with an empty log.
 */
export function partitionOf(sourceId: string, partitions: number): number {
  if (!Number.isInteger(partitions) || partitions < 1) throw new RangeError('partitions must be a positive integer');
  return mix32(fnv1a32(sourceId.toLowerCase())) % partitions;
}
