import { hash, timingSafeEqual } from 'node:crypto';

/** A browser holds this token of its session: 256 random bits. */
export const SESSION_TOKEN = /^[\w-]{43}$/;

/** Returns the name of a session in the nodes service. */
export const sessionHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Returns the token that a page or program of the session must send with every change: a foreign page can make browsers send the
 * cookie, but cannot read this.
 */
export const csrfTokenOf = (token: string): string => hash('sha256', `csrf of ${token}`, 'base64url');

export function isCsrfToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(csrfTokenOf(token)), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
