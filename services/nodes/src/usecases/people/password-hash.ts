import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '@catchment/errors';
import { normalPassword } from '../../domain/password.ts';

/** OWASP's choice of argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Hashes at once: each takes 19 MiB and a thread of Node's pool, which file and name look-ups share. */
const AT_ONCE = 3;
const WAITING = 60;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const derive = promisify(argon2);

/** A password as it is stored: the PHC text form. @throws DomainError unavailable when too many are waiting */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await hash(password, salt, COST);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/**
 * Whether a password is the stored one. Without a stored one it takes as long and is false, so that nobody learns from the
 * time which people there are.
 * @throws DomainError unavailable when too many are waiting
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? '') ?? [];
  if (tag === '') {
    await hash(password, randomBytes(SALT_BYTES), COST);
    return false;
  }
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const given = await hash(password, Buffer.from(salt, 'base64'), cost);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

let running = 0;
const waiting: (() => void)[] = [];

async function hash(
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) throw unavailable('TOO_MANY_SIGN_INS');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await derive('argon2id', { message: normalPassword(password), nonce, tagLength: TAG_BYTES, ...cost });
  } finally {
    const next = waiting.shift();
    // The next one takes over this place.
    if (next) next();
    else running -= 1;
  }
}
