import type { ChartData, SeriesView } from '@catchment/dashboard-view';
import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { extentOf, linesOf, summaryOf } from '../charts/chart-data.ts';
import { type ChartModel, chartModel } from '../charts/chart-model.ts';
import type { Window } from '../charts/chart-window.ts';
import { listenToGestures } from '../charts/gestures.ts';
import type { Readings } from '../charts/plot/drawn.ts';
import { type Plot, plot } from '../charts/plot/plot.ts';
import { Broken, Failed, Outdated } from '../components/notes.tsx';
import { usePage } from '../components/page-context.ts';
import { scheme } from '../components/scheme.ts';
import { useSeen } from '../components/use-seen.ts';
import { useSize } from '../components/use-size.ts';
import { decimalText, withUnits } from '../format/numbers.ts';
import { absoluteTime, periodText } from '../format/times.ts';
import type { Zone } from '../format/zone.ts';
import { dataAddress, keepPart, partInAddress } from '../live/page-address.ts';
import { getJson } from '../live/requests.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Legend } from './chart-legend.tsx';
import type { TileProps } from './content.ts';

const REST_MS = 120;
/** Browsers refuse an address that changes with every turn of a wheel. */
const ADDRESS_REST_MS = 300;
/** The server reduces to at most this. */
const MOST_PIXELS = 4_000;

type StandardChartProps = TileProps<'STANDARD_CHART'> & { readonly id: string };

/** Shows lines, steps and columns of a period, to be zoomed and moved by hand and by keyboard. */
export function StandardChart({ id, content, name }: StandardChartProps) {
  const series = content.series.filter((curve) => curve !== null);
  const broken = content.series.length - series.length;
  if (series.length === 0) return <Broken what={broken > 1 ? 'parameters' : 'parameter'} />;
  return <Chart id={id} content={content} name={name} series={series} broken={broken} />;
}

type ChartProps = StandardChartProps & { readonly series: readonly SeriesView[]; readonly broken: number };

function Chart({ id, content, name, series, broken }: ChartProps) {
  const { zone, ask = getJson } = usePage();
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useSignal<Plot | undefined>(undefined);
  const readings = useSignal<Readings | undefined>(undefined);
  const isSeen = useSeen(host);
  const size = useSize(host, REST_MS);
  const model = useMemo(
    () => chartModel(dataAddress(content.dataUrl), ask, content.zoom ? partInAddress(id) : undefined),
    [],
  );
  useEffect(() => model.close, [model]);
  useEffect(() => (content.zoom ? followAddress(id, model) : undefined), [model]);

  const isReady = isSeen && size !== undefined;
  // The effect runs in the task that draws, of which there is one for each chart.
  useLayoutEffect(() => {
    if (!isReady || !host.current || !frame.current) return;
    const made = plot({
      host: host.current,
      series,
      zone: zone.value,
      onSelect: content.zoom ? model.show : undefined,
      onCursor: (read) => {
        readings.value = read;
      },
    });
    drawn.value = made;
    const window = () => model.window.peek() ?? model.bounds.peek();
    const { over } = made;
    const still = content.zoom
      ? listenToGestures({ over, focus: frame.current, window, instantAt: made.instantAt, show: model.show })
      : undefined;
    if (content.zoom) over.addEventListener('dblclick', () => model.press('0'));
    return () => {
      still?.();
      made.destroy();
      drawn.value = undefined;
    };
  }, [isReady, zone.value]);

  const isDrawn = drawn.value !== undefined;
  useEffect(() => {
    if (!isDrawn || !size) return;
    const made = drawn.peek()!;
    made.resize(size.width, size.height);
    model.load({ revision: content.revision, width: pixelsOf(size.width) });
  }, [isDrawn, size, content.revision, model, drawn]);

  // Effects of signals run at once, those of components later and together: each answer is drawn in a task of its own,
  // and a page that is printed does not wait.
  useEffect(
    () =>
      effect(() => {
        const [data, bounds] = [model.data.value, model.bounds.value];
        if (data && bounds) drawn.value?.show(data, model.window.value ?? bounds);
      }),
    [model, drawn],
  );
  useEffect(() => scheme.subscribe(() => drawn.peek()?.recolor()), [drawn]);

  const retry = () => model.load({ revision: content.revision, width: pixelsOf(size?.width ?? 0) });
  return (
    <div class="chart">
      <div
        ref={frame}
        class="chart-frame"
        {...(content.zoom && {
          role: 'application',
          tabIndex: 0,
          'aria-roledescription': 'chart',
          'aria-label': `${name}. Arrow keys move, plus and minus zoom, 0 shows everything.`,
          onKeyDown: (event: KeyboardEvent) => moveByKey(event, model),
        })}
      >
        <div ref={host} class="plot" />
        {model.hasFailed.value && !model.data.value && <Failed what="chart" again={retry} />}
        {model.isLoading.value && !model.data.value && <p class="loading">Loading…</p>}
        <Nothing series={series} model={model} />
        {content.zoom && <Tools model={model} name={name} />}
      </div>
      {model.hasFailed.value && model.data.value && <Outdated what="chart" again={retry} />}
      <Legend series={series} model={model} readings={readings} drawn={drawn} zone={zone.value} broken={broken} />
      <Summary
        name={`${name}, ${periodText(content.period)}`}
        series={series}
        data={model.data.value}
        zone={zone.value}
      />
    </div>
  );
}

/** Axes are part of it: they change with the values, and the resolution should not. */
const pixelsOf = (width: number): number => Math.min(Math.max(Math.round(width * devicePixelRatio), 1), MOST_PIXELS);

/** The address says which part is shown, once it rests, and is followed as people go back and forward. */
function followAddress(id: string, model: ChartModel): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stops = [
    effect(() => {
      const shown = model.window.value;
      clearTimeout(timer);
      timer = setTimeout(() => keepPart(id, shown), ADDRESS_REST_MS);
    }),
    effect(() => {
      const named = partInAddress(id);
      const shown = model.window.peek();
      if (named === undefined ? shown !== undefined : !shown || !isSame(named, shown)) model.set(named);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/** Compares without parts of milliseconds, which addresses do not have. */
const isSame = (a: Window, b: Window): boolean => Math.abs(a.start - b.start) < 1 && Math.abs(a.end - b.end) < 1;

function moveByKey(event: KeyboardEvent, model: ChartModel): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (model.press(event.key)) event.preventDefault();
}

const TOOLS: readonly { readonly key: string; readonly icon: IconName; readonly what: string }[] = [
  { key: 'ArrowLeft', icon: 'left', what: 'Earlier' },
  { key: 'ArrowRight', icon: 'right', what: 'Later' },
  { key: '-', icon: 'minus', what: 'Zoom out' },
  { key: '+', icon: 'plus', what: 'Zoom in' },
  { key: '0', icon: 'whole', what: 'Show everything' },
];

/** Shows the keys of the chart as buttons: for fingers, and for those who do not know the keys. */
function Tools({ model, name }: { readonly model: ChartModel; readonly name: string }) {
  const isZoomed = model.window.value !== undefined;
  return (
    <fieldset class="chart-tools" aria-label={`Zoom of ${name}`}>
      {TOOLS.map(({ key, icon, what }) => (
        <button
          type="button"
          key={key}
          title={what}
          aria-label={what}
          aria-disabled={!isZoomed && key !== '+'}
          onClick={() => model.press(key)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </fieldset>
  );
}

/** Stands in place of lines, where there are none. */
function Nothing({ series, model }: { readonly series: readonly SeriesView[]; readonly model: ChartModel }) {
  const isEmpty = useComputed(() => {
    const data = model.data.value;
    return data && extentOf(linesOf(data, series), series, model.window.value ?? data) === undefined;
  });
  return isEmpty.value && !model.isLoading.value ? <p class="nothing">No data</p> : null;
}

type SummaryProps = {
  readonly name: string;
  readonly series: readonly SeriesView[];
  readonly data: ChartData | undefined;
  readonly zone: Zone;
};

/** Shows the chart in words, for those who do not see it. */
function Summary({ name, series, data, zone }: SummaryProps) {
  if (!data) return null;
  const time = (ms: number) => absoluteTime(ms, zone);
  return (
    <div class="unseen">
      <p>{`Chart of ${name}, from ${time(data.start)} to ${time(data.end)}.`}</p>
      <ul>
        {series.map((curve, i) => {
          const found = data.series[i] && summaryOf(data.series[i], data);
          const text = (value: number) => withUnits(decimalText(value, curve.decimals), curve.units);
          return (
            <li key={i}>
              {found
                ? `${curve.name}: last ${text(found.last)} at ${time(found.lastMs)}, minimum ${text(found.minimum)}, maximum ${text(found.maximum)}.`
                : `${curve.name}: no values.`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
