import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { isJsonObject, type JsonObject } from './rule.ts';

/** Parses the JSON object of a request. @throws DomainError invalid_argument, too_large */
export function parseBody(body: Uint8Array): JsonObject {
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw invalid('INVALID_BODY', 'body: must be a JSON object');
  return value;
}
