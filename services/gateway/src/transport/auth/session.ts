import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CallerSigner } from '@catchment/grpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Peers } from '../../clients/peers.ts';
import { Authenticator } from '../../usecases/authenticator.ts';

const NAME = 'catchment_session';
/** What a browser holds: 256 random bits. */
const TOKEN = /^[\w-]{43}$/;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Who is signed in with a session, and what they may do over the API; remembered as shortly as keys. */
export const sessionsOf = (
  { people, accounts }: Pick<Peers, 'people' | 'accounts'>,
  signer: CallerSigner,
): Authenticator =>
  new Authenticator({
    lookup: ({ keySha256 }, options) => people.authenticateSession({ sessionSha256: keySha256 }, options),
    find: accounts.findSecrets,
    signer,
    pattern: TOKEN,
  });

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

/** Whether cookies are for HTTPS only. @param appUrl where people open pages, which says so behind any proxy */
export const isSecure = (request: FastifyRequest, appUrl: string | undefined): boolean =>
  request.protocol === 'https' || appUrl?.startsWith('https:') === true;

/** A secure cookie is bound to this host by its name, so that no sister domain can plant one. */
const nameOf = (secure: boolean): string => (secure ? `__Host-${NAME}` : NAME);

/** The session that a browser shows; undefined = none, or one that cannot be. */
export function sessionTokenOf(request: FastifyRequest, appUrl: string | undefined): string | undefined {
  const name = nameOf(isSecure(request, appUrl));
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=');
    if (pair.slice(0, mark).trim() !== name) continue;
    const token = pair.slice(mark + 1).trim();
    return TOKEN.test(token) ? token : undefined;
  }
  return undefined;
}

/** @param maxAgeSeconds 0 = forget it */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  appUrl: string | undefined,
  token: string,
  maxAgeSeconds: number,
): void {
  const secure = isSecure(request, appUrl);
  const parts = [`${nameOf(secure)}=${token}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  reply.header('set-cookie', [...parts, ...(secure ? ['Secure'] : [])].join('; '));
}

/**
 * Whether a browser sends a request on behalf of a page that is not ours. Programs, which say nothing of pages, are not
 * browsers that could be misled.
 */
export function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}
