import { unavailable } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import { lockAddress } from '../store/proof-query.ts';
import { oldestPassword } from '../store/sign-in-query.ts';
import type { PeopleDeps } from './deps.ts';
import { hashPassword, saltOf } from './password-hash.ts';

const ATTEMPTS = 3;

/**
 * Runs what stores a password, in a transaction in which nothing else happens to the e-mail. All profiles of an e-mail share the salt:
 * the hash, which takes its time, is made before, and anew where the first password came meanwhile.
 */
export async function storePassword<T>(
  { database }: Pick<PeopleDeps, 'database'>,
  email: string,
  password: string,
  work: (tx: Queryable, hash: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const beside = await oldestPassword(database, email);
    const hash = await hashPassword(password, beside);
    const done = await database.transaction(async (tx) => {
      await lockAddress(tx, email);
      const now = await oldestPassword(tx, email);
      return saltOf(now) === saltOf(beside) ? { result: await work(tx, hash) } : undefined;
    });
    if (done) return done.result;
  }
  throw unavailable('PASSWORDS_CHANGING');
}
