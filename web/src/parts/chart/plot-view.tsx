import { effect, type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isSeen, linesOf } from '../../charts/chart-data.ts';
import type { ChartModel } from '../../charts/chart-model.ts';
import type { Window } from '../../charts/chart-window.ts';
import { listenToGestures } from '../../charts/gestures.ts';
import { drawMarks, drawThresholds, type Mark, type Threshold } from '../../charts/overlays.ts';
import type { AxisChoice, Readings } from '../../charts/plot/drawn.ts';
import { type Paper, type Plot, plot } from '../../charts/plot/plot.ts';
import { scheme } from '../../components/scheme.ts';
import { useSize } from '../../components/use-size.ts';
import { times } from '../../data/times.ts';
import { words } from '../../words/index.ts';
import type { ExploredData } from './chart-source.ts';
import type { ChartSeries } from './series.ts';

const REST_MS = 120;
/** More columns than these are not seen, and take long to read. */
const MOST_PIXELS = 1_600;

type PlotViewProps = {
  readonly name: string;
  readonly series: readonly ChartSeries[];
  readonly model: ChartModel<ExploredData>;
  /** Reads anew where it changes. */
  readonly revision: string;
  /** More series are on their way: nothing is read yet, unless something is shown. */
  readonly isWaiting?: boolean;
  readonly readings: Signal<Readings | undefined>;
  readonly drawn: Signal<Plot | undefined>;
  readonly axes?: ReadonlyMap<string, AxisChoice> | undefined;
  /** Takes what is dragged over, and the record that is clicked, in place of zooming. */
  readonly onPick?: ((window: Window) => void) | undefined;
  readonly thresholds: readonly Threshold[];
  /** Draws below thresholds and marks, and hears where things stand. */
  readonly onDraw?: (paper: Paper) => void;
  readonly marksOf: (data: ExploredData) => readonly Mark[];
  /** Takes a key that the chart itself does not know. @returns whether it did something */
  readonly onKey?: (key: string) => boolean;
};

/** Shows the plot of a chart, moved and zoomed by hand and by keyboard. */
export function PlotView(props: PlotViewProps) {
  const { name, series, model, revision, isWaiting, readings, drawn, thresholds, marksOf } = props;
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(host, REST_MS);
  const { zone } = times();
  const overlays = useRef({ thresholds, marksOf, onDraw: props.onDraw });
  overlays.current = { thresholds, marksOf, onDraw: props.onDraw };
  const pick = useRef(props.onPick);
  pick.current = props.onPick;
  const isReady = size !== undefined;
  const look = series.map(({ key, view }) => `${key} ${view.color} ${view.units} ${view.type}`).join();

  useLayoutEffect(() => {
    if (!isReady || !host.current || !frame.current) return;
    const made = plot({
      host: host.current,
      series: series.map(({ view }) => view),
      zone,
      onSelect: (window) => (pick.current ?? model.show)(window),
      axes: props.axes,
      onCursor: (read) => {
        readings.value = read;
      },
      onDraw: (paper) => {
        // Custom properties are not resolved; colours of elements are.
        const { columnRuleColor, caretColor } = getComputedStyle(frame.current!);
        const data = model.data.peek();
        overlays.current.onDraw?.(paper);
        drawThresholds(paper, overlays.current.thresholds, columnRuleColor);
        if (data) drawMarks(paper, overlays.current.marksOf(data), caretColor);
      },
    });
    drawn.value = made;
    const { over } = made;
    const still = listenToGestures({
      over,
      focus: frame.current,
      window: () => model.window.peek() ?? model.bounds.peek(),
      instantAt: made.instantAt,
      show: model.show,
    });
    over.addEventListener('dblclick', () => !pick.current && model.press('0'));
    over.addEventListener('click', () => {
      const { ms } = readings.peek()?.of.find((reading) => reading !== undefined) ?? {};
      if (ms !== undefined) pick.current?.({ start: ms, end: ms });
    });
    return () => {
      still();
      made.destroy();
      drawn.value = undefined;
    };
  }, [isReady, zone, look]);

  const isDrawn = drawn.value !== undefined;
  useEffect(() => {
    if (!isDrawn || !size) return;
    drawn.peek()!.resize(size.width, size.height);
    if (isWaiting && model.data.peek() === undefined) return;
    const width = Math.min(Math.max(Math.round(size.width * devicePixelRatio), 1), MOST_PIXELS);
    model.load({ revision, width });
  }, [isDrawn, size, revision, isWaiting, model, drawn]);

  useEffect(
    () =>
      effect(() => {
        const [data, bounds] = [model.data.value, model.bounds.value];
        const made = drawn.value;
        // Data of other series come again with those that are drawn now.
        if (data && bounds && made?.count === data.series.length) made.show(data, model.window.value ?? bounds);
      }),
    [model, drawn],
  );
  useEffect(() => scheme.subscribe(() => drawn.peek()?.recolor()), [drawn]);
  useEffect(() => drawn.peek()?.redraw(), [drawn, thresholds, marksOf]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!model.press(event.key) && !props.onKey?.(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={frame}
      class="chart-frame"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has the focus, and is moved by keys
      tabIndex={0}
      aria-roledescription={words.value.node.chart}
      aria-label={`${words.value.node.chartOf(name)}. ${words.value.node.chartKeys}`}
      onKeyDown={onKeyDown}
    >
      <div ref={host} class="plot" />
      <Nothing model={model} series={series} />
    </div>
  );
}

/** Stands in place of lines, where there are none. */
function Nothing({ model, series }: Pick<PlotViewProps, 'model' | 'series'>) {
  const isEmpty = useComputed(() => {
    const data = model.data.value;
    if (!data) return false;
    const views = series.map(({ view }) => view);
    return !isSeen(linesOf(data, views), views, model.window.value ?? data);
  });
  return isEmpty.value && !model.isLoading.value ? <p class="nothing">{words.value.node.noRecords}</p> : null;
}

/** Makes a readings signal and a plot signal, for who shows a plot. */
export const usePlotSignals = () => ({
  readings: useSignal<Readings | undefined>(undefined),
  drawn: useSignal<Plot | undefined>(undefined),
});
