import { useMemo } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { isDrawable } from '../../../parts/chart/series.ts';
import { useForm } from '../../../ui/form/index.ts';
import { type FormState, statesOf } from './list.ts';
import { readReadings } from './readings.ts';
import { configOf, visitsOf } from './visits.ts';

/**
 * Counts how often the records of a time enter each state, by the settings that are typed and by those that hold.
 * @param shown the part of it that the chart shows, which alone is counted
 */
export function useVisits(node: Node, window: Window, shown: Window | undefined, states: readonly FormState[]) {
  const { document, base } = useForm();
  const { statesType, hysteresis } = document;
  const counted = shown ?? window;
  const { value, error } = useAsked(
    (signal) => readReadings(node._id, window, !isDrawable(node), signal),
    // A new record is one more to count.
    [node._id, window.start, window.end, node.currentTime],
  );
  const from = Math.max(counted.start, value?.cutAt ?? 0);
  const count = (list: readonly FormState[], type: unknown, slack: unknown) =>
    value && visitsOf(value.rule, configOf(list, type, slack), value.readings, { from, to: counted.end });
  const visits = useMemo(
    () => count(states, statesType, hysteresis),
    [value, JSON.stringify(states), statesType, hysteresis, from, counted.end],
  );
  const before = useMemo(
    () => count(statesOf(base.states), base.statesType, base.hysteresis),
    [value, base, from, counted.end],
  );
  const isSeen = ({ ms }: { readonly ms: number }) => ms >= counted.start && ms <= counted.end;
  return {
    /** Undefined while records are read. */
    read: value && {
      all: value.count,
      counted: shown === undefined ? value.count : value.readings.filter(isSeen).length,
      cutAt: value.cutAt,
    },
    error,
    from,
    end: counted.end,
    visits,
    before,
  };
}
