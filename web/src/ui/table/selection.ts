/** These rows are chosen, and Shift chooses on from that row. */
export type Selection = { readonly keys: ReadonlySet<string>; readonly anchor: string | undefined };

export const NOTHING: Selection = { keys: new Set(), anchor: undefined };

/**
 * Does what a click or the space bar does: with `isRange` all rows from the anchor to this one are chosen, otherwise this one is switched.
 */
export function pick(selection: Selection, order: readonly string[], key: string, isRange: boolean): Selection {
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(key);
  if (isRange && from >= 0 && to >= 0) {
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { keys: new Set([...selection.keys, ...range]), anchor: selection.anchor };
  }
  const keys = new Set(selection.keys);
  if (!keys.delete(key)) keys.add(key);
  return { keys, anchor: key };
}

export const all = (order: readonly string[]): Selection => ({ keys: new Set(order), anchor: order[0] });

/** Takes out the rows that are not there any more; the object is the same where nothing is gone. */
export function without(selection: Selection, isThere: (key: string) => boolean): Selection {
  if ([...selection.keys].every(isThere)) return selection;
  const { anchor } = selection;
  return {
    keys: new Set([...selection.keys].filter(isThere)),
    anchor: anchor !== undefined && isThere(anchor) ? anchor : undefined,
  };
}
