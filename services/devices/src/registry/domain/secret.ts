import { timingSafeEqual } from 'node:crypto';

/** The store finds a registration by this many characters of a hash: 48 bits, so that two never fit by chance. */
const SELECTOR_CHARACTERS = 8;

/** Returns the beginning of a hash, by which registrations are found whose secret may be this one; see `isSameSecret`. */
export const selectorOf = (secretHash: string): string => hashIn(secretHash).slice(0, SELECTOR_CHARACTERS);

/** Returns whether two stored secrets are the same one, in constant time. */
export function isSameSecret(secret: string, other: string): boolean {
  const [a, b] = [Buffer.from(hashIn(secret)), Buffer.from(hashIn(other))];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hashIn = (secretHash: string): string => secretHash.split('$')[2] ?? '';
