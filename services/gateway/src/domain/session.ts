import { hash, timingSafeEqual } from 'node:crypto';

/** What a browser holds of a session: 256 random bits. */
export const SESSION_TOKEN = /^[\w-]{43}$/;

/** How the nodes service names a session. */
export const sessionHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * What a page or program of the session must show before it changes anything: a page of somebody else makes browsers send the
 * cookie, but cannot read this.
 */
export const csrfTokenOf = (token: string): string => hash('sha256', `csrf of ${token}`, 'base64url');

export function isCsrfToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(csrfTokenOf(token)), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
