import type { IncomingMessage } from 'node:http';

const OVERRIDES = new Set(['PUT', 'DELETE']);
const HEADER = 'x-http-method-override';
const refused = new WeakSet<IncomingMessage>();

/**
 * Makes a POST with `X-HTTP-Method-Override` the method that it names (docs/reference/requests-and-errors.md#headers),
 * before anything is routed. A wrong use of the header is remembered and answered when the body is checked: authentication
 * and permission come first.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  const header = request.headers[HEADER];
  if (header === undefined) return;
  const method = String(header).trim().toUpperCase();
  if (request.method === 'POST' && OVERRIDES.has(method)) request.method = method;
  else refused.add(request);
}

export const isOverrideRefused = (request: IncomingMessage): boolean => refused.has(request);

export const OVERRIDE_RULE = 'X-HTTP-Method-Override: must be PUT or DELETE, on a POST';
