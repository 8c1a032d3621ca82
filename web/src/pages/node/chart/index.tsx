import type { ComponentProps } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { AxisChoice } from '../../../charts/plot/drawn.ts';
import { type Range, rangeText } from '../../../charts/ranges.ts';
import { nodeAddress } from '../../../data/addresses.ts';
import { hasSource } from '../../../data/nodes/classes.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { chartPictureAddress } from '../../../data/records/historic-addresses.ts';
import { type Qualities, qualities } from '../../../data/records/quality.ts';
import { readLine } from '../../../data/records/records.ts';
import { isForbidden } from '../../../data/requests/failures.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import { ChartDescription } from '../../../parts/chart/description.tsx';
import { Legend } from '../../../parts/chart/legend.tsx';
import { marksOf } from '../../../parts/chart/marks.ts';
import { PlotView, usePlotSignals } from '../../../parts/chart/plot-view.tsx';
import { type ChartSeries, isDrawable, seriesOf, thresholdsOf } from '../../../parts/chart/series.ts';
import { Strip } from '../../../parts/chart/strip.tsx';
import { NodeSearch } from '../../../parts/node-search.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Busy, EmptyState, Problem } from '../../../ui/notes.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import type { Annotate } from './annotate.tsx';
import { ChartBar, ShiftChoice } from './bar.tsx';
import { Downloads } from './downloads.tsx';
import { MOST_SERIES } from './explorer-address.ts';
import { useChartModel, useExplorer } from './use-explorer.ts';
import { useNodes } from './use-nodes.ts';

/** News of values are drawn so often at most. */
const NEWS_MS = 5_000;
const STRIP_PIXELS = 900;

/** The history of a node: years or minutes, beside others, over the same time of another year. */
export function NodeChart({ node }: { readonly node: Node }) {
  const { node: say } = words.value;
  if (typeof node.currentTime !== 'string')
    return (
      <EmptyState icon="number" title={say.neverRecords}>
        {say.neverRecordsText}
      </EmptyState>
    );
  if (!isDrawable(node)) return <TextsAndTimes key={node._id} node={node} />;
  return <Explorer key={node._id} node={node} base={[node]} />;
}

/** Shows texts and times, which come when somebody looks at them. */
function TextsAndTimes({ node }: { readonly node: Node }) {
  const { node: say, ui } = words.value;
  const part = useAsked(() => import('./lanes.tsx'), []);
  if (part.error !== undefined) return <Problem text={say.chartFailed} again={part.again} againText={ui.again} />;
  if (!part.value) return <Busy text={say.chartLoading} />;
  const { Lanes } = part.value;
  return <Lanes node={node} />;
}

type ExplorerProps = {
  /** The chart belongs to this node. */
  readonly node: Node;
  /** The chart shows at least these, the first one before all. */
  readonly base: readonly Node[];
  readonly usual?: Range;
  readonly axes?: ReadonlyMap<string, AxisChoice>;
};

/** A chart to be explored: of one value, or of what a chart node puts together. */
export function Explorer({ node, base, usual, axes }: ExplorerProps) {
  const { node: say, ui } = words.value;
  const explorer = useExplorer(node, usual);
  const { state, change } = explorer;
  const isOwn = base[0] === node;
  const others = useNodes(state.with);
  const ready = state.with.flatMap((id) => {
    const held = others.get(id);
    return held?.kind === 'ready' && isDrawable(held.node) ? [held.node] : [];
  });
  // A chart that is drawn with them later would be read twice.
  const isWaiting = state.with.some((id) => !others.has(id));
  const lost = state.with.filter((id) => ['gone', 'failed'].includes(others.get(id)?.kind ?? ''));
  const revisions = [...base, ...ready].map((node) => `${node._id} ${node.revision} ${node.name}`).join();
  const series = useMemo(
    () => allSeries([...base, ...ready], state.shift),
    [revisions, state.shift && JSON.stringify(state.shift)],
  );
  const { model, follow, stepBy, bounds } = useChartModel(series, explorer);
  const { readings, drawn } = usePlotSignals();
  const [known, setKnown] = useState<Qualities>();
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const shownNodes = [...base, ...ready];
  const news = useThrottled(
    shownNodes.map(({ currentTime }) => String(currentTime)).join(),
    NEWS_MS,
    shownNodes.map(({ _id }) => _id).join(),
  );
  useEffect(follow, [news]);
  const thresholds = useMemo(
    () => (state.hides.has('thresholds') ? [] : base.flatMap(thresholdsOf)),
    [revisions, state.hides.has('thresholds')],
  );
  const hidesMarks = state.hides.has('qualities');
  const marks = (data: ExploredData) => (hidesMarks ? [] : marksOf(series, data, known));
  const data = model.data.value;
  // The chart goes before: they are many records.
  const isRead = data !== undefined;
  const whole = useAsked(
    async (signal) => (isRead ? readLine(series[0]!.source, bounds(), STRIP_PIXELS, undefined, signal) : undefined),
    [base[0]!._id, base[0]!.oldestTime, Math.floor(nowMs.value / 600_000), isRead],
  );
  const [isAnnotating, setAnnotating] = useState(false);
  const [picked, setPicked] = useState<Window>();
  const host = useRef<HTMLDivElement>(null);
  const retry = () => model.load({ revision: `${news} again ${Date.now()}`, width: host.current?.clientWidth ?? 800 });
  const error = useFailure(model.hasFailed.value, series[0]!);

  if (isForbidden(error)) return isOwn ? <Picture node={node} explorer={explorer} /> : <ChartPicture node={node} />;
  return (
    <div class="explorer">
      <ChartBar explorer={explorer} model={model} stepBy={stepBy} node={base[0]!} />
      <div class="explorer-more">
        <ShiftChoice explorer={explorer} />
        <NodeSearch
          label={say.compare}
          hint={base.length + state.with.length >= MOST_SERIES ? say.atMost(MOST_SERIES) : say.compareHint}
          class="Number"
          isDisabled={base.length + state.with.length >= MOST_SERIES}
          accepts={(found) => isDrawable(found) && ![...base.map(({ _id }) => _id), ...state.with].includes(found._id)}
          onChoose={({ _id }) => change({ with: [...state.with, _id] })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={!state.hides.has('thresholds')}
            onChange={() => change({ hides: toggled(state.hides, 'thresholds') })}
          />
          <span>{say.thresholds}</span>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={!hidesMarks}
            onChange={() => change({ hides: toggled(state.hides, 'qualities') })}
          />
          <span>{say.qualities}</span>
        </label>
        {isOwn && may('EDIT_QUALITY', node) && (
          <button
            type="button"
            class="button is-quiet"
            aria-expanded={isAnnotating}
            onClick={() => {
              setAnnotating(!isAnnotating);
              setPicked(undefined);
            }}
          >
            <Icon name="pencil" />
            <span>{say.annotate}</span>
          </button>
        )}
        {isOwn && hasSource(node) && (may('EDIT_DATA', node) || may('EDIT_QUALITY', node)) && (
          <a class="button is-quiet" href={nodeAddress(node._id, 'mend', { range: rangeText(state.range) })}>
            <Icon name="pencil" />
            <span>{say.mendThis}</span>
          </a>
        )}
        <Downloads node={node} series={series} model={model} drawn={drawn} host={host} />
      </div>
      {isAnnotating && (
        <AnnotatePanel
          node={node}
          range={picked}
          onRange={setPicked}
          onClose={() => setAnnotating(false)}
          onSaved={() => {
            setAnnotating(false);
            retry();
          }}
        />
      )}
      {lost.length > 0 && (
        <p class="soft">
          <Icon name="warning" /> {say.seriesGone}{' '}
          <button
            type="button"
            class="button is-bare"
            onClick={() => change({ with: state.with.filter((id) => !lost.includes(id)) })}
          >
            {say.removeSeries('')}
          </button>
        </p>
      )}
      {model.hasFailed.value && (
        <Problem
          text={data ? say.chartOld : `${say.chartFailed} ${error === undefined ? '' : errorText(error)}`}
          again={retry}
          againText={ui.again}
        />
      )}
      <div ref={host} class={model.hasFailed.value ? 'explorer-plot is-stale' : 'explorer-plot'}>
        <PlotView
          name={node.name}
          series={series}
          model={model}
          revision={`${revisions} ${state.shift ? JSON.stringify(state.shift) : ''} ${news}`}
          isWaiting={isWaiting}
          readings={readings}
          drawn={drawn}
          axes={axes}
          onPick={isAnnotating ? setPicked : undefined}
          thresholds={thresholds}
          marksOf={marks}
          onKey={(key) => key === 'Backspace' && explorer.back()}
        />
        {model.isLoading.value && <Busy text={say.chartLoading} />}
      </div>
      <Strip model={model} whole={whole.value} />
      <Legend
        series={series}
        model={model}
        readings={readings}
        drawn={drawn}
        qualities={known}
        toolsOf={(curve) =>
          state.with.includes(curve.node._id) &&
          !curve.shift && (
            <button
              type="button"
              class="button is-bare is-sign legend-tool"
              aria-label={say.removeSeries(curve.node.name)}
              title={say.removeSeries(curve.node.name)}
              onClick={() => change({ with: state.with.filter((id) => id !== curve.node._id) })}
            >
              <Icon name="close" />
            </button>
          )
        }
      />
      <Notes series={series} data={data} isHidden={hidesMarks} />
      <ChartDescription
        name={node.name}
        series={series}
        data={data}
        thresholds={thresholds}
        marks={data && data.series.length === series.length ? marks(data) : []}
      />
    </div>
  );
}

/** It comes when somebody writes. */
function AnnotatePanel(props: ComponentProps<typeof Annotate>) {
  const { node: say, ui } = words.value;
  const part = useAsked(() => import('./annotate.tsx'), []);
  if (part.error !== undefined) return <Problem text={say.settingsFailed} again={part.again} againText={ui.again} />;
  return part.value ? <part.value.Annotate {...props} /> : <Busy text={ui.loading} />;
}

/** A chart node as the server draws it. */
export const ChartPicture = ({ node }: { readonly node: Node }) => (
  <img
    class="chart-picture"
    src={chartPictureAddress(node._id, undefined, { width: 1_200, height: 600 })}
    alt={words.value.node.chartOf(node.name)}
  />
);

/** Each node, and below each what it was at another time. */
function allSeries(nodes: readonly Node[], shift: Parameters<typeof seriesOf>[2]): readonly ChartSeries[] {
  return nodes.flatMap((node, i) => [seriesOf(node, i), ...(shift ? [seriesOf(node, i, shift)] : [])]);
}

function toggled<T>(all: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(all);
  if (!next.delete(item)) next.add(item);
  return next;
}

/** Notes that people have written to records that are shown. */
function Notes({
  series,
  data,
  isHidden,
}: {
  readonly series: readonly ChartSeries[];
  readonly data: ExploredData | undefined;
  readonly isHidden: boolean;
}) {
  const { node: say } = words.value;
  const { whole } = times();
  if (!data || isHidden || data.series.length !== series.length) return null;
  const notes = data.series.flatMap((line, i) =>
    [...line.notes].map(([place, text]) => ({ ms: line.times[place]!, text, name: series[i]!.view.name })),
  );
  if (notes.length === 0) return null;
  return (
    <details class="chart-notes">
      <summary>{`${say.notes} (${notes.length})`}</summary>
      <ul>
        {notes.map(({ ms, text, name }) => (
          <li key={`${ms} ${name}`}>
            <time>{whole(ms)}</time> <span dir="auto">{text}</span>{' '}
            {series.length > 1 && <span class="soft">{name}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
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

/** A value that changes often, as it was some time ago at most; one of other things is no news of those before. */
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

/** The chart as the server draws it, for those who may not read records. */
function Picture({ node, explorer }: { readonly node: Node; readonly explorer: ReturnType<typeof useExplorer> }) {
  const { node: say } = words.value;
  const whole = seriesOf(node, 0).source;
  const now = nowMs.peek();
  const { range } = explorer.state;
  const [startMs, endMs] =
    range.kind === 'fixed'
      ? [range.start, range.end]
      : [range.kind === 'all' ? (whole.oldestMs ?? now - 1) : now - spanOf(range), Math.max(now, whole.newestMs ?? 0)];
  return (
    <div class="explorer">
      <ChartBar explorer={explorer} node={node} />
      <p class="soft">{say.pictureOnly}</p>
      <img
        class="chart-picture"
        src={chartPictureAddress(node._id, { startMs, endMs }, { width: 1_200, height: 520 })}
        alt={say.chartText(node.name, times().whole(startMs), times().whole(endMs))}
        onError={() => toast(say.chartFailed, { isBad: true })}
      />
    </div>
  );
}

const DAY = 86_400_000;
const SPANS = { M: 60_000, H: 3_600_000, D: DAY, W: 7 * DAY, MO: 30 * DAY, Y: 365 * DAY } as const;
const spanOf = ({ count, unit }: { readonly count: number; readonly unit: keyof typeof SPANS }): number =>
  count * SPANS[unit];
