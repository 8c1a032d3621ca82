import { invalid } from '@catchment/errors';
import { isStorableText, STORABLE_TEXT } from '@catchment/ids';

export interface SortItem {
  /** Dotted attribute name. */
  readonly path: string;
  readonly direction: 'ASC' | 'DESC';
}
export type Sort = readonly SortItem[];

const ITEM = /^([^\s().,|\\"]+(?:\.[^\s().,|\\"]+)*)\s*(?:\(\s*(ASC|DESC)\s*\))?$/i;
const MAX_ITEMS = 20;

/**
 * Parses the items of a `sort` argument (docs/reference/query-arguments.md#sort-limit-and-skip); empty text = no items.
 * @throws DomainError invalid_argument
 */
export function parseSort(text: string): Sort {
  if (text.trim() === '') return [];
  if (!isStorableText(text)) throw invalid('INVALID_SORT', `sort must be ${STORABLE_TEXT}`);
  const items = text.split(',');
  if (items.length > MAX_ITEMS) throw invalid('INVALID_SORT', `sort must have at most ${MAX_ITEMS} attributes`);
  return items.map((item) => {
    const match = ITEM.exec(item.trim());
    if (match === null) {
      throw invalid('INVALID_SORT', 'sort must be a list of attributes, each may be followed by (ASC) or (DESC)');
    }
    return { path: match[1]!, direction: match[2]?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC' };
  });
}
