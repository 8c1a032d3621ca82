import { useEffect, useState } from 'preact/hooks';
import { type Held, holdNode } from '../../../data/nodes.ts';

/** Several nodes for as long as they are compared, each kept current. */
export function useNodes(ids: readonly string[]): ReadonlyMap<string, Held> {
  const [all, setAll] = useState<ReadonlyMap<string, Held>>(new Map());
  const key = ids.join();
  useEffect(() => {
    const held = ids.map((id) => ({ id, ...holdNode(id) }));
    const stops = held.map(({ id, value }) =>
      value.subscribe((now) => setAll((before) => new Map(before).set(id, now))),
    );
    return () => {
      for (const stop of stops) stop();
      for (const { release } of held) release();
      setAll(new Map());
    };
  }, [key]);
  return all;
}
