import { type DomainError, invalid } from '@catchment/errors';
import { type NodeRef, parseNodeRef } from '@catchment/ids';
import { closingParenthesis, splitTopLevel, unescapeText } from './scan.ts';

/** Entry n of `params` becomes column n. */
export interface NodeParams<K extends string> {
  readonly node: NodeRef;
  /** Only the keys given, by their documented spelling. */
  readonly values: Readonly<Partial<Record<K, string>>>;
}

const MAX_ENTRIES = 100;

const invalidParams = (rule: string): DomainError => invalid('INVALID_PARAMS', `params ${rule}`);

/**
 * The entries of a `params` argument (semantics 2.6), 1-100, in their order; the same node may come more than once.
 * @param keys what may stand before a colon
 * @throws DomainError invalid_argument
 */
export function parseNodeParams<const K extends string>(text: string, keys: readonly K[]): readonly NodeParams<K>[] {
  const entries = splitTopLevel(text, ',');
  if (entries === undefined) throw invalidParams('must have balanced parentheses');
  if (entries.length > MAX_ENTRIES) throw invalidParams(`must have at most ${MAX_ENTRIES} entries`);
  return entries.map((entry) => parseEntry(entry.trim(), keys));
}

function parseEntry<const K extends string>(entry: string, keys: readonly K[]): NodeParams<K> {
  const open = entry.indexOf('(');
  const reference = (open < 0 ? entry : entry.slice(0, open)).trim();
  const node = parseNodeRef(reference);
  if (node === undefined) throw invalidParams('must name each node by its id or @customId');
  if (open < 0) return { node, values: parsePairs('', keys) };
  if (closingParenthesis(entry, open) !== entry.length - 1) {
    throw invalidParams('must consist of entries such as id(aggregate:AVERAGE;interval:1H)');
  }
  return { node, values: parsePairs(entry.slice(open + 1, -1), keys) };
}

function parsePairs<const K extends string>(text: string, keys: readonly K[]): Partial<Record<K, string>> {
  const values: Partial<Record<K, string>> = {};
  if (text.trim() === '') return values;
  for (const pair of splitTopLevel(text, ';') ?? []) {
    const colon = pair.indexOf(':');
    const key = keys.find((known) => colon >= 0 && known === pair.slice(0, colon).trim());
    if (key === undefined) throw invalidParams(`must use the keys ${keys.join(', ')}, each followed by a colon`);
    values[key] = unescapeText(pair.slice(colon + 1).trim());
  }
  return values;
}
