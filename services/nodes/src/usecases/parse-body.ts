import { invalid } from '@catchment/errors';
import { isJsonObject, type JsonObject } from '../domain/rule.ts';

/** The JSON value of a request. @throws DomainError invalid_argument */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw invalid('INVALID_BODY', 'body: must be valid JSON in UTF-8');
  }
}

/** The JSON object of a request. @throws DomainError invalid_argument */
export function parseBody(body: Uint8Array): JsonObject {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw invalid('INVALID_BODY', 'body: must be a JSON object');
  return value;
}
