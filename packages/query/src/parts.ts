import type { Resolved, TimeStore } from './columns.ts';
import type { ValueType } from './operand.ts';

/** One expression of an attribute: NULL when the attribute is absent or its value has another type. */
export interface Part {
  readonly sql: string;
  readonly type: ValueType;
  /** Times only. */
  readonly store?: TimeStore;
}

/**
 * Returns the expressions of a column in the order of the type ranks: Number < String < Boolean < Time
 * (docs/reference/query-arguments.md#sort-limit-and-skip).
 */
export function partsOf(column: Resolved['column']): Part[] {
  switch (column.type) {
    case 'variable': {
      const parts: Part[] = [];
      if (column.number !== undefined) parts.push({ sql: column.number, type: 'number' });
      if (column.string !== undefined) parts.push({ sql: column.string, type: 'string' });
      if (column.boolean !== undefined) parts.push({ sql: column.boolean, type: 'boolean' });
      if (column.time !== undefined) parts.push({ ...column.time, type: 'time' });
      return parts;
    }
    case 'time':
      return [{ sql: column.sql, type: 'time', store: column.store ?? 'timestamptz' }];
    default:
      return [{ sql: column.sql, type: column.type }];
  }
}
