import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_TOKEN } from '../../domain/session.ts';

const NAME = 'catchment_session';

/** Returns whether cookies are for HTTPS only. @param appUrl public address of the pages, which is right behind any proxy too */
const isSecure = (request: FastifyRequest, appUrl: string | undefined): boolean =>
  request.protocol === 'https' || appUrl?.startsWith('https:') === true;

/** A secure cookie is bound to this host by its name, so that no sister domain can plant one. */
const nameOf = (secure: boolean): string => (secure ? `__Host-${NAME}` : NAME);

/** Returns the session that a browser shows; undefined = none, or one that cannot be. */
export function sessionTokenOf(request: FastifyRequest, appUrl: string | undefined): string | undefined {
  const name = nameOf(isSecure(request, appUrl));
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const mark = pair.indexOf('=');
    if (pair.slice(0, mark).trim() !== name) continue;
    const token = pair.slice(mark + 1).trim();
    return SESSION_TOKEN.test(token) ? token : undefined;
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
 * Returns whether a browser sends a request on behalf of a page that is not ours. Programs, which say nothing of pages, are not
 * browsers that could be misled.
 */
export function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.host;
}
