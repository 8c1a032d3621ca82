import type { JsonObject } from '../../domain/body/rule.ts';

/** @param into gets them, behind what it has */
export function withoutNulls(object: object, into: Record<string, unknown> = {}): JsonObject {
  for (const name in object) {
    const value = (object as JsonObject)[name];
    if (value !== null && value !== undefined) into[name] = value;
  }
  return into;
}
