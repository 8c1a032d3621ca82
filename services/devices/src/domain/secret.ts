import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** 2^14 blocks of 1 KiB: about 40 ms and 16 MiB for each guess. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const REMEMBERED = 10_000;

/** What is stored of a device's secret: `scrypt$<salt>$<hash>`, base64url; people choose these secrets. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(secret, salt);
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * Compares secrets with stored hashes in constant time. A secret that was right is remembered under a key that lives as
 * long as the process, so that a thousand modems coming back at once do not cost a thousand derivations.
 */
export class SecretChecker {
  readonly #processKey = randomBytes(32);
  readonly #right = new Map<string, Buffer>();

  async matches(secret: string, stored: string): Promise<boolean> {
    const mark = createHmac('sha256', this.#processKey).update(secret, 'utf8').digest();
    const known = this.#right.get(stored);
    if (known && timingSafeEqual(known, mark)) return true;
    const [, salt = '', hash = ''] = stored.split('$');
    const expected = Buffer.from(hash, 'base64url');
    const derived = await derive(secret, Buffer.from(salt, 'base64url'));
    if (expected.length !== derived.length || !timingSafeEqual(expected, derived)) return false;
    if (this.#right.size >= REMEMBERED) this.#right.clear();
    this.#right.set(stored, mark);
    return true;
  }
}

const derive = (secret: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(secret, salt, HASH_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
