import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Range } from '../../../charts/ranges.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { type Qualities, qualities } from '../../../data/records/quality.ts';
import { readLine } from '../../../data/records/records.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import { marksOf } from '../../../parts/chart/marks.ts';
import { type ChartSeries, isDrawable, seriesOf, thresholdsOf } from '../../../parts/chart/series.ts';
import { useChartModel, useExplorer } from './use-explorer.ts';
import { useNodes } from './use-nodes.ts';

/** News of values are drawn so often at most. */
const NEWS_MS = 5_000;
const STRIP_PIXELS = 900;

export type Explored = ReturnType<typeof useExplored>;

/** Holds the series of a chart with those that are compared, the model of their records, and what is drawn over them. */
export function useExplored(node: Node, base: readonly Node[], usual: Range | undefined) {
  const explorer = useExplorer(node, usual);
  const { state } = explorer;
  const others = useNodes(state.with);
  const ready = state.with.flatMap((id) => {
    const held = others.get(id);
    return held?.kind === 'ready' && isDrawable(held.node) ? [held.node] : [];
  });
  const shownNodes = [...base, ...ready];
  const revisions = shownNodes.map((node) => `${node._id} ${node.revision} ${node.name}`).join();
  const series = useMemo(
    () => allSeries(shownNodes, state.shift),
    [revisions, state.shift && JSON.stringify(state.shift)],
  );
  const { model, follow, stepBy, bounds } = useChartModel(series, explorer);
  const [known, setKnown] = useState<Qualities>();
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const news = useThrottled(
    shownNodes.map(({ currentTime }) => String(currentTime)).join(),
    NEWS_MS,
    shownNodes.map(({ _id }) => _id).join(),
  );
  useEffect(follow, [news]);
  const hidesThresholds = state.hides.has('thresholds');
  const thresholds = useMemo(() => (hidesThresholds ? [] : base.flatMap(thresholdsOf)), [revisions, hidesThresholds]);
  const hidesMarks = state.hides.has('qualities');
  const data = model.data.value;
  // The chart goes before: they are many records.
  const isRead = data !== undefined;
  const whole = useAsked(
    async (signal) => (isRead ? readLine(series[0]!.source, bounds(), STRIP_PIXELS, undefined, signal) : undefined),
    [base[0]!._id, base[0]!.oldestTime, Math.floor(nowMs.value / 600_000), isRead],
  );
  return {
    explorer,
    base,
    series,
    model,
    data,
    stepBy,
    known,
    news,
    thresholds,
    hidesMarks,
    marksOf: (data: ExploredData) => (hidesMarks ? [] : marksOf(series, data, known)),
    revision: `${revisions} ${state.shift ? JSON.stringify(state.shift) : ''} ${news}`,
    // A chart that is drawn with them later would be read twice.
    isWaiting: state.with.some((id) => !others.has(id)),
    lost: state.with.filter((id) => ['gone', 'failed'].includes(others.get(id)?.kind ?? '')),
    whole: whole.value,
    error: useFailure(model.hasFailed.value, series[0]!),
  };
}

/** Returns each node, and below each what it was at another time. */
function allSeries(nodes: readonly Node[], shift: Parameters<typeof seriesOf>[2]): readonly ChartSeries[] {
  return nodes.flatMap((node, i) => [seriesOf(node, i), ...(shift ? [seriesOf(node, i, shift)] : [])]);
}

/** Finds why the first series could not be read: the model says only that it could not. */
function useFailure(hasFailed: boolean, { source }: ChartSeries): unknown {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!hasFailed) return setError(undefined);
    const stop = new AbortController();
    readLine(source, { start: 0, end: 1_000 }, 1, undefined, stop.signal).catch((failure: unknown) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [hasFailed, source.nodeId]);
  return error;
}

/** Returns a value that changes often, as it was some time ago at most; one of other things is no news of those before. */
function useThrottled(value: string, ms: number, of: string): string {
  const [shown, setShown] = useState({ value, of });
  const latest = useRef(value);
  latest.current = value;
  const isOther = shown.of !== of;
  useEffect(() => {
    const take = () => setShown({ value: latest.current, of });
    if (isOther) return take();
    if (value === shown.value) return;
    const timer = setTimeout(take, ms);
    return () => clearTimeout(timer);
  }, [value !== shown.value, of, isOther]);
  return isOther ? value : shown.value;
}
