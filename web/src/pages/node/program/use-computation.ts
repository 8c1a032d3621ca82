import { useEffect } from 'preact/hooks';
import type { Node } from '../../../data/nodes/nodes.ts';
import { type Computation, readComputation } from '../../../data/processing/computations.ts';
import { type Asked, useAsked } from '../../../data/requests/use-asked.ts';

/** The state is asked for this often while it changes by itself, and while it should not. */
const EACH_MS = { soon: 1_500, later: 30_000 } as const;

/** Returns how a node is computed, kept current while it is looked at. */
export function useComputation(node: Node): Asked<Computation> {
  const { alarms } = node as { alarms?: { processAlarm?: { status?: unknown } } };
  const alarm = JSON.stringify(alarms?.processAlarm?.status ?? null);
  const asked = useAsked((signal) => readComputation(node._id, signal), [node._id, node.revision, alarm]);
  const { value } = asked;
  const isMoving =
    value !== undefined &&
    [value, ...value.followers].some(({ state }) => state === 'CHECKING' || state === 'COMPUTING');
  useEffect(() => {
    if (asked.isLoading) return;
    const timer = setTimeout(asked.again, isMoving ? EACH_MS.soon : EACH_MS.later);
    return () => clearTimeout(timer);
  }, [asked.isLoading, value, isMoving]);
  return asked;
}
