import { type Columns, resolveColumn } from './columns.ts';
import { isCustomId } from './compile-filter.ts';
import type { Filter } from './filter.ts';

/** Returns the customIds, without their `@`, by which a filter names nodes: for services that have to ask which nodes these are. */
export function customIdsOf(filter: Filter, columns: Columns): string[] {
  const found = filter.flat().filter((criterion) => {
    const resolved = resolveColumn(columns, criterion.path, () => '', 'filterable');
    return typeof resolved === 'object' && isCustomId(resolved.column, criterion);
  });
  return [...new Set(found.map(({ operand }) => operand.text.slice(1)))];
}
