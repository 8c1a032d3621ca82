import { useEffect, useState } from 'preact/hooks';
import { type Held, holdNode } from '../../../data/nodes/nodes.ts';

/** Holds the compared nodes, each kept current: a new one not before all are known, so that a chart is not read anew for each. */
export function useNodes(ids: readonly string[]): ReadonlyMap<string, Held> {
  const [all, setAll] = useState<ReadonlyMap<string, Held>>(new Map());
  const key = ids.join();
  useEffect(() => {
    const held = ids.map((id) => ({ id, ...holdNode(id) }));
    const known = new Map<string, Held>();
    const stops = held.map(({ id, value }) =>
      value.subscribe((now) => {
        if (now.kind !== 'loading') known.set(id, now);
        if (known.size === held.length) setAll(new Map(known));
      }),
    );
    return () => {
      for (const stop of stops) stop();
      for (const { release } of held) release();
    };
  }, [key]);
  return all;
}
