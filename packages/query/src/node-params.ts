import { type DomainError, invalid } from '@catchment/errors';
import { type NodeRef, parseNodeRef } from '@catchment/ids';
import { closingParenthesis, splitTopLevel, unescapeText } from './scan.ts';

/** Entry n of `params` becomes column n. */
export interface NodeParams<K extends string> {
  readonly node: NodeRef;
  /** Reference as it was sent. */
  readonly reference: string;
  /** These keys were given, by their documented spelling. */
  readonly values: Readonly<Partial<Record<K, string>>>;
}

const MAX_ENTRIES = 100;

const invalidParams = (rule: string): DomainError => invalid('INVALID_PARAMS', `params ${rule}`);

/** An entry of a write, which may leave a column without a node. */
export type ColumnParams<K extends string> =
  | NodeParams<K>
  | (Pick<NodeParams<K>, 'values'> & { readonly node?: never });

/**
 * The entries of a `params` argument of a read (docs/reference/query-arguments.md#params), 1-100, in their order; the same
 * node may come more than once. A trailing comma is ignored.
 * @param keys what may stand before a colon
 * @throws DomainError invalid_argument
 */
export function parseNodeParams<const K extends string>(text: string, keys: readonly K[]): readonly NodeParams<K>[] {
  return entriesOf(text).map((entry) => {
    const parsed = parseEntry(entry, keys);
    if (parsed.node === undefined) throw mustNameNode();
    return parsed;
  });
}

/**
 * Parses the entries of a write: some may lack their node, such as `(columnIndex:1)`, but not all.
 * @throws DomainError invalid_argument
 */
export function parseColumnParams<const K extends string>(
  text: string,
  keys: readonly K[],
): readonly ColumnParams<K>[] {
  const entries = entriesOf(text).map((entry) => parseEntry(entry, keys));
  if (entries.every(({ node }) => node === undefined)) throw invalidParams('must name at least one node');
  return entries;
}

function entriesOf(text: string): string[] {
  const entries = splitTopLevel(text, ',')?.map((entry) => entry.trim());
  if (entries === undefined) throw invalidParams('must have balanced parentheses');
  if (entries.length > 1 && entries.at(-1) === '') entries.pop();
  if (entries.length > MAX_ENTRIES) throw invalidParams(`must have at most ${MAX_ENTRIES} entries`);
  return entries;
}

const mustNameNode = () => invalidParams('must name each node by its id or @customId');

function parseEntry<const K extends string>(entry: string, keys: readonly K[]): ColumnParams<K> {
  const open = entry.indexOf('(');
  const reference = (open < 0 ? entry : entry.slice(0, open)).trim();
  const node = parseNodeRef(reference);
  if (node === undefined && (reference !== '' || open < 0)) throw mustNameNode();
  if (open >= 0 && closingParenthesis(entry, open) !== entry.length - 1) {
    throw invalidParams('must consist of entries such as id(aggregate:AVERAGE;interval:1H)');
  }
  const values = parsePairs(open < 0 ? '' : entry.slice(open + 1, -1), keys);
  return node === undefined ? { values } : { node, reference, values };
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
