import { type Range, rangeOf, rangeText, type Shift, shiftOf, shiftText, USUAL } from '../../../charts/ranges.ts';

/** The address of a chart says this. */
export type ExplorerState = {
  readonly range: Range;
  /** Nodes of these ids are compared. */
  readonly with: readonly string[];
  readonly shift: Shift | undefined;
  readonly hides: ReadonlySet<Hidden>;
};
type Hidden = 'thresholds' | 'qualities';

/** A chart has at most this many series, the node's own among them: more could not be distinguished. */
export const MOST_SERIES = 8;
const ID = /^[0-9a-f]{24}$/;

/** @param usual what is shown where the address says nothing of it */
export function stateOf(query: Readonly<Record<string, string>>, usual: Range = USUAL): ExplorerState {
  const ids = (query.with ?? '').split(',').filter((id) => ID.test(id));
  return {
    range: rangeOf(query.range ?? '') ?? usual,
    with: [...new Set(ids)].slice(0, MOST_SERIES - 1),
    shift: shiftOf(query.shift ?? ''),
    hides: new Set((query.hide ?? '').split(',').filter((part) => part === 'thresholds' || part === 'qualities')),
  };
}

/** Returns the arguments of a state; what is usual is left out. */
export function queryOf(state: ExplorerState, usual: Range = USUAL): Record<string, string> {
  const range = rangeText(state.range);
  return {
    ...(range !== rangeText(usual) && { range }),
    ...(state.with.length > 0 && { with: state.with.join(',') }),
    ...(state.shift && { shift: shiftText(state.shift) }),
    ...(state.hides.size > 0 && { hide: [...state.hides].join(',') }),
  };
}
