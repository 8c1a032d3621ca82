import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import type { BlobRef } from './manifest.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Encrypts for these public keys (age1…); none = not at all. @throws Error for one that is no key */
export function encrypterFor(recipients: readonly string[]): Encrypter | undefined {
  if (recipients.length === 0) return undefined;
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new Error(`--recipient: ${recipient} is no age recipient; one looks like age1…, made by "age-keygen"`);
    }
  }
  return encrypter;
}

/** Reads the secret keys of a file as age-keygen writes it. @throws Error that names no key */
export async function decrypterFrom(file: string): Promise<Decrypter> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--identity: ${file} cannot be read (${error.code})`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const decrypter = new Decrypter();
  try {
    for (const key of keys) decrypter.addIdentity(key);
  } catch {
    throw new Error(`--identity: ${file} has a line that is no AGE-SECRET-KEY`);
  }
  if (keys.length === 0) throw new Error(`--identity: ${file} has no key`);
  return decrypter;
}

/** Writes content to a file: compressed, then encrypted. */
export async function encodeTo(file: string, content: Bytes, encrypter: Encrypter | undefined): Promise<BlobRef> {
  const [plain, stored] = [new Measured(), new Measured()];
  const encrypted = async function* (from: Bytes): Bytes {
    if (!encrypter) return yield* from;
    yield* await encrypter.encrypt(webStream(from));
  };
  await pipeline(
    Readable.from(plain.through(content), { objectMode: false }),
    createZstdCompress(),
    encrypted,
    (from: Bytes) => stored.through(from),
    // It is on disk when a manifest names it.
    createWriteStream(file, { flush: true, flags: 'wx', mode: 0o600 }),
  );
  return { digest: plain.digest(), bytes: plain.bytes, stored: stored.digest(), storedBytes: stored.bytes };
}

/** The content of a file. @throws Error at its end, or before, when it is not what was written */
export async function* decodeFrom(file: string, blob: BlobRef, decrypter: Decrypter | undefined): Bytes {
  const plain = new Measured();
  const source = createReadStream(file);
  const unzip = createZstdDecompress();
  const decrypted = decrypter
    ? Readable.from(
        (async function* () {
          yield* await decrypter.decrypt(webStream(source));
        })(),
        { objectMode: false },
      )
    : source;
  // The reader of `unzip` sees the errors of both.
  const done = pipeline(decrypted, unzip);
  done.catch(() => undefined);
  yield* plain.through(unzip);
  await done;
  if (plain.bytes !== blob.bytes || plain.digest() !== blob.digest)
    throw new Error('its content is not what was written');
}

/** Computes SHA-256 and size of a file. */
export async function measure(file: string): Promise<{ digest: string; bytes: number }> {
  const measured = new Measured();
  for await (const _ of measured.through(createReadStream(file)));
  return { digest: measured.digest(), bytes: measured.bytes };
}

/** Makes a stream that the library takes. */
const webStream = (from: Bytes) =>
  Readable.toWeb(
    Readable.from(from, { objectMode: false }),
  ) as ReadableStream<Uint8Array> as globalThis.ReadableStream<Uint8Array>;

class Measured {
  readonly #hash = createHash('sha256');
  bytes = 0;

  async *through(from: Bytes): AsyncGenerator<Uint8Array> {
    for await (const piece of from) {
      this.#hash.update(piece);
      this.bytes += piece.byteLength;
      yield piece;
    }
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
