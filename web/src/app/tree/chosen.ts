import type { NodeRow, Row } from './rows.ts';

/** These nodes are chosen together, and a range of them begins there. */
export type Chosen = { readonly keys: ReadonlySet<string>; readonly from: string | undefined };

/** This many nodes are moved or deleted together: what is more is a branch, or work for the API. */
export const MOST_CHOSEN = 200;
export const NONE: Chosen = { keys: new Set(), from: undefined };

export function toggled({ keys }: Chosen, key: string): Chosen {
  const next = new Set(keys);
  if (!next.delete(key) && next.size < MOST_CHOSEN) next.add(key);
  return { keys: next, from: key };
}

/** Returns all nodes between the one where the range begins and another. */
export function rangeTo(chosen: Chosen, rows: readonly Row[], start: string | undefined, to: number): Chosen {
  const from = chosen.from ?? start;
  const at = rows.findIndex(({ key }) => key === from);
  const [first, last] = at < 0 ? [to, to] : [Math.min(at, to), Math.max(at, to)];
  const between = rows.slice(first, last + 1).flatMap(({ kind, key }) => (kind === 'node' ? [key] : []));
  return { keys: new Set(at > to ? between.slice(-MOST_CHOSEN) : between.slice(0, MOST_CHOSEN)), from };
}

/** Picks the topmost of the chosen rows: what lies below one of them goes with it. */
export function topmost(rows: readonly Row[], { keys }: Chosen): readonly NodeRow[] {
  const nodes = rows.filter((row): row is NodeRow => row.kind === 'node' && keys.has(row.key));
  return nodes.filter(({ path }) => !nodes.some((other) => path.startsWith(`${other.path}/`)));
}
