/**
 * SMART: the first place of the field that fits the type. STRICT: the whole trimmed field must fit
 * (docs/reference/acquisition.md#text-parser).
 */
export type FieldMatch = 'SMART' | 'STRICT';

/** No logger writes U+0000: whatever stands beside it is a part of something. */
export const isDamaged = (field: string): boolean => field.includes('\0');
