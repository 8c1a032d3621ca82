import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '@catchment/errors';
import { normalPassword } from '../domain/password.ts';

/** OWASP recommends argon2id with 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** Hashes at once: each takes 19 MiB and a thread of Node's pool, which file and name look-ups share. */
const AT_ONCE = 3;
const WAITING = 60;
const PHC = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+))\$([\w+/]+)$/;
/** One sign-in tries this many salts: the profiles of an e-mail share one, but for those of before a change of `COST`. */
const SALTS_TRIED = 3;

const derive = promisify(argon2);

/** Returns cost and salt of a stored password; undefined where there is none. */
export const saltOf = (stored: string | undefined): string | undefined => PHC.exec(stored ?? '')?.[1];

/**
 * Returns a password as it is stored: the PHC text form.
 * @param beside a stored password of the same e-mail, whose salt it gets: one hash then tries all profiles of the e-mail
 * @throws DomainError unavailable when too many are waiting
 */
export async function hashPassword(password: string, beside?: string): Promise<string> {
  const { memory, passes, parallelism } = COST;
  const cost = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
  const known = saltOf(beside);
  const salt = known?.startsWith(cost) ? Buffer.from(known.slice(cost.length), 'base64') : randomBytes(SALT_BYTES);
  const tag = await hash(password, salt, COST);
  return `${cost}${base64(salt)}$${base64(tag)}`;
}

/**
 * Finds which of the stored passwords of an e-mail a password is. One hash is computed for all of them, and for none
 * too, so that the time does not reveal which people and how many profiles there are.
 * @returns indexes in `stored`
 * @throws DomainError unavailable when too many are waiting
 */
export async function findPassword(password: string, stored: readonly string[]): Promise<number[]> {
  const salts = [...new Set(stored.flatMap((hash) => saltOf(hash) ?? []))].slice(0, SALTS_TRIED);
  if (salts.length === 0) await hash(password, randomBytes(SALT_BYTES), COST);
  const found: number[] = [];
  for (const candidate of salts) {
    const [, , memory, passes, parallelism, salt = ''] = PHC.exec(`${candidate}$x`) ?? [];
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const given = await hash(password, Buffer.from(salt, 'base64'), cost);
    for (const [i, text] of stored.entries()) if (saltOf(text) === candidate && isTag(given, text)) found.push(i);
  }
  return found.sort((a, b) => a - b);
}

/** Returns whether a password is the stored one. */
export const verifyPassword = async (password: string, stored: string | undefined): Promise<boolean> =>
  (await findPassword(password, stored === undefined ? [] : [stored])).length > 0;

function isTag(given: Buffer, stored: string): boolean {
  const expected = Buffer.from(PHC.exec(stored)?.[6] ?? '', 'base64');
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
