import { invalid } from '@catchment/errors';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const badBody = (at: string, rule: string) => invalid('INVALID_BODY', `${at}: ${rule}`);
