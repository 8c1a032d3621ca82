import { invalid } from '@catchment/errors';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const badBody = (at: string, rule: string) => invalid('INVALID_BODY', `${at}: ${rule}`);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as JSON. V8's parser keeps no call stack per level, so deep nesting costs memory only, bounded by the body. */
export function parseJsonBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw badBody('body', 'must be UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badBody('body', 'must be JSON');
  }
}
