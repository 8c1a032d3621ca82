import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { windowModel } from '../../../charts/chart-model.ts';
import type { Window } from '../../../charts/chart-window.ts';
import type { Plot } from '../../../charts/plot/plot.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import { Legend } from '../../../parts/chart/legend.tsx';
import { PlotView, usePlotSignals } from '../../../parts/chart/plot-view.tsx';
import { type ChartSeries, seriesOf, thresholdsOf } from '../../../parts/chart/series.ts';
import { type MendData, pictureOf } from './picture.ts';
import type { Records, Work } from './records.ts';
import type { Corner, Mask } from './selections.ts';
import { say } from './words.ts';

export type Pointer = 'drag' | 'lasso' | 'zoom';
/** This grey reads on light and on dark: the line as it was loaded. */
const BEFORE = '#8a979c';
/** Corners of a lasso at most, and how far apart they are, in pixels. */
const MOST_CORNERS = 2_000;
const APART = 3;

type MendChartProps = {
  readonly node: Node;
  readonly range: Window;
  readonly base: Records;
  readonly work: Work;
  readonly mask: Mask;
  /** Each change of the records or of what is chosen brings another one. */
  readonly version: number;
  readonly pointer: Pointer;
  readonly onRange: (startMs: number, endMs: number) => void;
  readonly onLasso: (corners: readonly Corner[]) => void;
  readonly onPoint: (ms: number, withinMs: number) => void;
};

/** Shows the records as they were loaded and as they are to be, two lines; both can be zoomed, and chosen in by dragging. */
export function MendChart(props: MendChartProps) {
  const { node, range, version, pointer } = props;
  const text = say();
  const unit = typeof node.units === 'string' ? node.units : '';
  const now = useRef(props);
  now.current = props;
  const model = useMemo(() => {
    const made = windowModel<MendData>(async (shown, width) => {
      const { base, work, mask } = now.current;
      const { expectedIntervalSeconds } = seriesOf(node, 0).source;
      return pictureOf({ base, work, mask, unit, expectedIntervalSeconds }, shown ?? range, width);
    });
    made.bound(range);
    return made;
  }, [range.start, range.end]);
  useEffect(() => model.close, [model]);
  const { readings, drawn } = usePlotSignals();
  const series = useMemo(() => linesOf(node, text.lineBefore, text.lineAfter), [node.revision, text]);
  const thresholds = useMemo(() => thresholdsOf(node), [node.revision]);
  const marksOf = (data: ExploredData) => (data as MendData).marks;
  return (
    <div class="mend-chart">
      <div class="mend-plot" data-pointer={pointer}>
        <PlotView
          name={node.name}
          series={series}
          model={model}
          revision={String(version)}
          readings={readings}
          drawn={drawn}
          thresholds={thresholds}
          marksOf={marksOf}
        />
        {pointer !== 'zoom' && <Hand {...props} drawn={drawn} unit={unit} />}
      </div>
      <Legend
        series={series}
        model={model}
        readings={readings}
        drawn={drawn}
        qualities={undefined}
        toolsOf={() => null}
      />
      <p class="soft mend-hint">{text.chartKeys}</p>
    </div>
  );
}

function linesOf(node: Node, before: string, after: string): readonly ChartSeries[] {
  const series = seriesOf(node, 0);
  const line = (key: string, name: string, color: string): ChartSeries => ({
    ...series,
    key,
    view: { ...series.view, name, color, fill: false, type: series.view.type === 'COLUMN' ? 'LINE' : series.view.type },
  });
  return [line('before', before, BEFORE), line('after', after, series.view.color)];
}

type HandProps = Pick<MendChartProps, 'pointer' | 'onRange' | 'onLasso' | 'onPoint'> & {
  readonly drawn: Signal<Plot | undefined>;
  readonly unit: string;
};

/** Shows a sheet over the plot that takes what a mouse, a pen or a finger draws. Wheels and keys go on to the chart. */
function Hand({ pointer, drawn, unit, onRange, onLasso, onPoint }: HandProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const shape = useMemo(() => signal<readonly (readonly [number, number])[]>([]), []);
  const [box, setBox] = useState({ left: 0, top: 0, width: 0, height: 0 });
  const plot = drawn.value;
  useEffect(() => {
    if (!plot) return;
    const place = () => {
      const [outer, over] = [sheet.current!.parentElement!.getBoundingClientRect(), plot.over.getBoundingClientRect()];
      setBox({ left: over.left - outer.left, top: over.top - outer.top, width: over.width, height: over.height });
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(plot.over);
    return () => observer.disconnect();
  }, [plot]);
  const at = (event: PointerEvent): readonly [number, number] => {
    const { left, top } = sheet.current!.getBoundingClientRect();
    return [
      Math.min(Math.max(event.clientX - left, 0), box.width),
      Math.min(Math.max(event.clientY - top, 0), box.height),
    ];
  };
  const end = () => {
    const corners = shape.peek();
    shape.value = [];
    if (!plot || corners.length === 0) return;
    const [first, last] = [corners[0]!, corners.at(-1)!];
    const reach = Math.max(...corners.map(([x, y]) => Math.abs(x - first[0]) + Math.abs(y - first[1])));
    if (reach < 2 * APART) {
      const near = plot.instantAt(first[0] + 12) - plot.instantAt(first[0]);
      onPoint(plot.instantAt(first[0]), near);
    } else if (pointer === 'drag') {
      const [a, b] = [plot.instantAt(first[0]), plot.instantAt(last[0])];
      onRange(Math.min(a, b), Math.max(a, b));
    } else onLasso(corners.map(([x, y]) => ({ ms: plot.instantAt(x), value: plot.valueAt(unit, y) })));
  };
  const corners = shape.value;
  const [x0, x1] = [corners[0]?.[0] ?? 0, corners.at(-1)?.[0] ?? 0];
  return (
    <div
      ref={sheet}
      class="mend-sheet"
      style={{ left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        shape.value = [at(event)];
      }}
      onPointerMove={(event) => {
        const known = shape.peek();
        const [x, y] = at(event);
        const last = known.at(-1);
        if (!last) return;
        if (pointer === 'drag') shape.value = [known[0]!, [x, y]];
        else if (known.length < MOST_CORNERS && Math.abs(x - last[0]) + Math.abs(y - last[1]) >= APART)
          shape.value = [...known, [x, y]];
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        shape.value = [];
      }}
      onWheel={(event) => {
        // The chart below knows what a wheel does.
        const copy = new WheelEvent('wheel', event);
        if (!plot?.over.dispatchEvent(copy)) event.preventDefault();
      }}
    >
      {corners.length > 1 && (
        <svg aria-hidden="true">
          {pointer === 'drag' ? (
            <rect x={Math.min(x0, x1)} y={0} width={Math.abs(x1 - x0)} height={box.height} />
          ) : (
            <polygon points={corners.map(([x, y]) => `${x},${y}`).join(' ')} />
          )}
        </svg>
      )}
    </div>
  );
}
