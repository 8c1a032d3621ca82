import { useState } from 'preact/hooks';
import type { BoardTile } from '../../data/pages/tiles.ts';
import type { Refused } from './tile-panel.tsx';
import type { Board } from './use-board.ts';

/** Holds what the server says against tiles: when it previews them, and when the dashboard is saved. */
export function useRefusals({ refusal }: Board) {
  const [refused, setRefused] = useState<ReadonlyMap<string, Refused>>(new Map());
  const refuse = (id: string, problem: Refused | undefined) =>
    setRefused((before) => {
      if (problem === undefined && !before.has(id)) return before;
      const next = new Map(before);
      if (problem) next.set(id, problem);
      else next.delete(id);
      return next;
    });
  const problemOf = ({ _id }: BoardTile): Refused | undefined => (refusal?.tileId === _id ? refusal : refused.get(_id));
  return { refuse, problemOf };
}
