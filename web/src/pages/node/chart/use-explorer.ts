import { effect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { windowModel } from '../../../charts/chart-model.ts';
import { panned, type Window, within } from '../../../charts/chart-window.ts';
import { type Range, rangeText, windowOf } from '../../../charts/ranges.ts';
import { back, begun, forward, went, type ZoomHistory } from '../../../charts/zoom-history.ts';
import { nodeAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { readChart, wholeOf } from '../../../parts/chart/chart-source.ts';
import type { ChartSeries } from '../../../parts/chart/series.ts';
import { type ExplorerState, queryOf, stateOf } from './explorer-address.ts';

/** The address follows a movement once it rests. */
const REST_MS = 300;

const isSame = (a: Range, b: Range): boolean => rangeText(a) === rangeText(b);

/** Reads what an address asks a chart to show, and changes it: the address holds all of it but the steps taken. */
export function useExplorer(node: Node, usual?: Range) {
  const { query, route } = useLocation();
  const key = JSON.stringify(query);
  const state = useMemo(() => stateOf(query, usual), [key]);
  const now = useRef(state);
  now.current = state;
  // Steps are counted as they are made: a key may come before the page is drawn again.
  const history = useRef<ZoomHistory<Range>>(begun(state.range));
  history.current = went(history.current, state.range, isSame);
  const change = (part: Partial<ExplorerState>) => {
    const next = { ...now.current, ...part };
    now.current = next;
    history.current = went(history.current, next.range, isSame);
    route(nodeAddress(node._id, 'chart', queryOf(next, usual)), true);
  };
  const step = (by: typeof back<Range>) => {
    const next = by(history.current);
    if (!next) return false;
    history.current = next;
    change({ range: next.now });
    return true;
  };
  return { state, change, history: history.current, back: () => step(back), forward: () => step(forward) };
}

export type Explorer = ReturnType<typeof useExplorer>;

/** Makes the model of a chart whose range is the address's. */
export function useChartModel(series: readonly ChartSeries[], { state, change }: Explorer) {
  const current = useRef(series);
  current.current = series;
  const model = useMemo(
    () =>
      windowModel(
        (shown, width, signal) =>
          readChart(current.current, shown ?? wholeOf(current.current, nowMs.peek()), width, signal),
        windowOf(state.range, nowMs.peek()),
      ),
    [],
  );
  // The nodes tell what there is before anything is read.
  if (model.bounds.peek() === undefined) model.bound(wholeOf(series, nowMs.peek()));
  useEffect(() => model.close, [model]);
  const range = useRef(state.range);
  // The address is followed …
  useEffect(() => {
    range.current = state.range;
    const wanted = windowOf(state.range, nowMs.peek());
    const shown = model.window.peek();
    if (wanted === undefined ? shown !== undefined : !shown || !isNear(wanted, shown)) model.set(wanted);
  }, [rangeText(state.range)]);
  // … and says what is shown once it rests.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const still = effect(() => {
      const shown = model.window.value;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const meant = windowOf(range.current, nowMs.peek());
        if (shown === undefined ? range.current.kind !== 'all' : !meant || !isNear(meant, shown))
          change({ range: shown ? { kind: 'fixed', ...shown } : { kind: 'all' } });
      }, REST_MS);
    });
    return () => {
      clearTimeout(timer);
      still();
    };
  }, [model]);
  /** The period and a range up to now move on with news. */
  const follow = () => {
    model.bound(wholeOf(current.current, Date.now()));
    if (range.current.kind === 'last') model.set(windowOf(range.current, Date.now()));
  };
  const bounds = () => model.bounds.peek() ?? wholeOf(current.current, nowMs.peek());
  const stepBy = (share: number) => {
    const shown = model.window.peek();
    if (shown) model.show(within(panned(shown, share), reachOf(shown, bounds())));
  };
  return { model, follow, stepBy, bounds };
}

const reachOf = (a: Window, b: Window): Window => ({ start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) });

/** A range up to now has moved on a little since it was drawn. */
const isNear = (a: Window, b: Window): boolean => {
  const least = Math.max((a.end - a.start) * 0.002, 1);
  return Math.abs(a.start - b.start) <= least && Math.abs(a.end - b.end) <= least;
};
