import type { JsonObject } from '../../domain/body/rule.ts';

export function withoutNulls(object: object): JsonObject {
  const result: Record<string, unknown> = {};
  for (const name in object) {
    const value = (object as JsonObject)[name];
    if (value !== null && value !== undefined) result[name] = value;
  }
  return result;
}
