import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createCRC32, createCRC64 } from 'hash-wasm';
import { CommunicationFailure } from '../../acquisition/index.ts';

/** The checksum runs on; `base64` returns it as S3 writes it, from the highest byte on. */
type Checksum = { update(piece: Uint8Array): void; base64(): string };

/** CRC-32C (Castagnoli) and CRC-64/NVME have these reversed polynomials. */
const CRC32C = 0x82f63b78;
const CRC64_NVME = '9a6c9329ac4bc9b5';

const ALGORITHMS: Readonly<Record<string, () => Checksum | Promise<Checksum>>> = {
  crc64nvme: async () => wasm(await createCRC64(CRC64_NVME)),
  crc32: () => {
    let value = 0;
    return {
      update: (piece) => {
        value = crc32(piece, value);
      },
      base64: () => Buffer.from(value.toString(16).padStart(8, '0'), 'hex').toString('base64'),
    };
  },
  crc32c: async () => wasm(await createCRC32(CRC32C)),
  sha1: () => ofNode('sha1'),
  sha256: () => ofNode('sha256'),
};

/** Asks a server for what it knows of the whole object. */
export const CHECKSUM_ASKED = { 'x-amz-checksum-mode': 'ENABLED' } as const;

/**
 * Yields the same bytes of a whole object; throws behind the last of them where they are not those that were stored.
 * @param headers of the answer: S3 names a checksum that was stored with the object
 */
export async function* whole(
  bytes: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, unknown>>,
): AsyncGenerator<Uint8Array> {
  const name = Object.keys(ALGORITHMS).find((key) => typeof headers[`x-amz-checksum-${key}`] === 'string');
  const expected = String(headers[`x-amz-checksum-${name}`]);
  // An object that was stored in parts has a checksum of their checksums, with their number.
  const isOfParts = expected.includes('-') || headers['x-amz-checksum-type'] === 'COMPOSITE';
  const checksum = name === undefined || isOfParts ? undefined : await ALGORITHMS[name]?.();
  for await (const piece of bytes) {
    checksum?.update(piece);
    yield piece;
  }
  if (checksum && checksum.base64() !== expected)
    throw new CommunicationFailure('the object came damaged: its checksum is another one than the one that was stored');
}

const wasm = (hasher: Awaited<ReturnType<typeof createCRC32>>): Checksum => {
  hasher.init();
  return {
    update: (piece) => void hasher.update(piece),
    base64: () => Buffer.from(hasher.digest('hex'), 'hex').toString('base64'),
  };
};

const ofNode = (algorithm: string): Checksum => {
  const hash = createHash(algorithm);
  return { update: (piece) => void hash.update(piece), base64: () => hash.digest('base64') };
};
