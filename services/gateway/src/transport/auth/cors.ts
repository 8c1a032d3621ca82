import type { FastifyReply, FastifyRequest } from 'fastify';

const REQUEST_HEADERS =
  'X-Api-Key, Content-Type, Content-Encoding, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-HTTP-Method-Override, X-Request-Id, traceparent';
const RESPONSE_HEADERS =
  'ETag, Idempotency-Replayed, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/**
 * Sets `Vary` on every answer, and the CORS headers for the configured origins (`*` = any;
 * docs/reference/requests-and-errors.md#headers).
 */
export function createCors(origins: readonly string[]) {
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('vary', origins.length > 0 ? 'Accept-Encoding, Origin' : 'Accept-Encoding');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', RESPONSE_HEADERS);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      reply
        .header('access-control-allow-methods', 'GET, HEAD, PUT, POST, DELETE')
        .header('access-control-allow-headers', REQUEST_HEADERS)
        .header('access-control-max-age', '600');
    }
  };
}
