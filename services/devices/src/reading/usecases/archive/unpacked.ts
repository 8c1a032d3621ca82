import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid, tooLarge } from '@catchment/errors';

/** All members of a file together have at most this many bytes (docs/reference/acquisition.md#files-of-a-source). */
export const UNPACKED_MAX_BYTES = 250 * 1024 * 1024;

/** @throws DomainError invalid_argument for what is no gzip data, or not all of it; what `bytes` throws */
export async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(bytes, gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw /^Z_|^ERR_.*ZLIB|TRAILING/.test(code) ? invalid('BAD_GZIP', 'body: is damaged gzip data') : error;
  } finally {
    gunzip.destroy();
  }
}

/** Counts what is unpacked of all members; reading a member again counts it anew. */
export class UnpackedBudget {
  readonly #taken = new Map<string, number>();

  /** @throws DomainError too_large */
  async *of(member: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let memberBytes = 0;
    for await (const piece of bytes) {
      memberBytes += piece.length;
      this.#taken.set(member, memberBytes);
      let total = 0;
      for (const taken of this.#taken.values()) total += taken;
      if (total > UNPACKED_MAX_BYTES) throw tooLarge();
      yield piece;
    }
  }
}
