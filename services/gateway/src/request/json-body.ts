import { invalid } from '@catchment/errors';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks that a body is UTF-8 JSON and gives its value; the bytes themselves travel on to the service.
 * @throws DomainError invalid_argument
 */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw invalid('MALFORMED_JSON', 'body: must be well-formed JSON in UTF-8');
  }
}

/** The value as an object. @throws DomainError invalid_argument */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid('BAD_BODY', 'body: must be a JSON object');
}
