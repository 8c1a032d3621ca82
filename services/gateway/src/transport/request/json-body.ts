import { invalid } from '@catchment/errors';

/** The value as an object. @throws DomainError invalid_argument */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid('INVALID_BODY', 'body: must be a JSON object');
}
