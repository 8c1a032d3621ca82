import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { windowModel } from '../../../charts/chart-model.ts';
import type { Window } from '../../../charts/chart-window.ts';
import type { AxisChoice, Readings } from '../../../charts/plot/drawn.ts';
import type { Paper, Plot } from '../../../charts/plot/plot.ts';
import type { Node } from '../../../data/nodes.ts';
import { readChart } from '../../../parts/chart/chart-source.ts';
import { ChartDescription } from '../../../parts/chart/description.tsx';
import { PlotView } from '../../../parts/chart/plot-view.tsx';
import { seriesOf } from '../../../parts/chart/series.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { words } from '../../../words/index.ts';
import { keyed, spread } from './handles.ts';
import { type FormState, sideOf } from './list.ts';
import { type Placed, placed, reachOf } from './order.ts';
import { niceStep } from './steps.ts';
import { say } from './words.ts';

/** Height of a label, as the style has it, in pixels. */
const LABEL = 26;
/** Steps of the keyboard across the axis. */
const KEY_STEPS = 100;

type Axis = { readonly low: number; readonly high: number; readonly step: number };

type ThresholdChartProps = {
  readonly node: Node;
  readonly states: readonly FormState[];
  readonly statesType: unknown;
  readonly window: Window;
  readonly isReadOnly: boolean;
  readonly textOf: (threshold: unknown) => string;
  /** Hears where a threshold was moved to, while it is being moved and at last. */
  readonly onPlace: (index: number, at: Placed, isDone: boolean) => void;
  readonly onShown: (window: Window | undefined) => void;
  readonly onAxis: (axis: Axis) => void;
};

/** The records of a time, and across them a line for each threshold, which is moved by mouse, finger and keys. */
export function ThresholdChart(props: ThresholdChartProps) {
  const { node, states, statesType, window, isReadOnly, textOf, onPlace, onShown, onAxis } = props;
  const { node: texts, ui } = words.value;
  const series = useMemo(() => [seriesOf(node, 0)], [node._id, node.revision, node.currentTime]);
  const current = useRef(series);
  current.current = series;
  const model = useMemo(
    () => windowModel((shown, width, signal) => readChart(current.current, shown ?? window, width, signal)),
    [window.start, window.end],
  );
  if (model.bounds.peek() === undefined) model.bound(window);
  useEffect(() => model.close, [model]);
  const shown = model.window.value;
  useEffect(() => onShown(shown), [shown?.start, shown?.end]);

  const unit = series[0]!.view.units;
  const thresholds = states.flatMap(({ threshold }, index) =>
    typeof threshold === 'number' && Number.isFinite(threshold) ? [{ index, threshold }] : [],
  );
  const [dragged, setDragged] = useState<number>();
  const settled = useRef<readonly number[]>([]);
  // The axis stands still while a threshold is moved: what is under the pointer must not run away.
  if (dragged === undefined) settled.current = thresholds.map(({ threshold }) => threshold);
  const axes = useMemo(
    () => new Map<string, AxisChoice>([[unit, { isInverted: false, beside: () => settled.current }]]),
    [unit],
  );
  const drawn = useSignal<Plot | undefined>(undefined);
  const readings = useSignal<Readings | undefined>(undefined);
  const [box, setBox] = useState<{
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }>();
  const [scale, setScale] = useState<{ readonly low: number; readonly high: number }>();
  const bands = useRef<HTMLFieldSetElement>(null);

  const onDraw = (paper: Paper) => {
    const { ratio, box: canvas } = paper;
    const next = {
      left: Math.round(canvas.left / ratio),
      top: Math.round(canvas.top / ratio),
      right: Math.round(canvas.right / ratio),
      bottom: Math.round(canvas.bottom / ratio),
    };
    setBox((before) => (before && JSON.stringify(before) === JSON.stringify(next) ? before : next));
    const [low, high] = [paper.valueAt(unit, canvas.bottom), paper.valueAt(unit, canvas.top)];
    if (low !== undefined && high !== undefined && Number.isFinite(low) && high > low)
      setScale((before) => (before?.low === low && before.high === high ? before : { low, high }));
  };
  const step = scale ? niceStep((scale.high - scale.low) / KEY_STEPS) : 1;
  useEffect(() => {
    if (scale) onAxis({ ...scale, step });
  }, [scale?.low, scale?.high]);
  const settledKey = settled.current.join();
  useEffect(() => drawn.peek()?.fit(), [settledKey, drawn.value]);

  const height = box ? box.bottom - box.top : 0;
  const yOf = (value: number) =>
    scale && box ? box.bottom - ((value - scale.low) / (scale.high - scale.low)) * height : 0;
  const lines = box && scale ? thresholds.map((threshold) => ({ ...threshold, y: yOf(threshold.threshold) })) : [];
  const inside = (y: number) => Math.min(Math.max(y, box?.top ?? 0), box?.bottom ?? 0);
  const labels = box
    ? spread(
        lines.map(({ y }) => y),
        LABEL,
        box.top,
        box.bottom,
      )
    : [];

  const valueUnder = (clientY: number) => {
    const rect = bands.current!.getBoundingClientRect();
    const y = Math.min(Math.max(clientY - rect.top, box!.top), box!.bottom);
    return scale!.low + ((box!.bottom - y) / height) * (scale!.high - scale!.low);
  };
  const fine = scale ? niceStep((scale.high - scale.low) / Math.max(height, 50)) : 1;
  const drag = (index: number) => (event: PointerEvent) => {
    if (isReadOnly || event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    // The handle stays under the pointer where it was taken.
    const slack = (states[index]!.threshold as number) - valueUnder(event.clientY);
    const at = (event: PointerEvent) => placed(states, statesType, index, valueUnder(event.clientY) + slack, fine);
    const stop = new AbortController();
    let last: Placed | undefined;
    setDragged(index);
    const { signal } = stop;
    handle.addEventListener(
      'pointermove',
      (event) => {
        last = at(event);
        onPlace(index, last, false);
      },
      { signal },
    );
    const end = (isKept: boolean) => () => {
      stop.abort();
      setDragged(undefined);
      if (last) onPlace(index, isKept ? last : { threshold: states[index]!.threshold as number }, true);
    };
    handle.addEventListener('pointerup', end(true), { signal });
    handle.addEventListener('pointercancel', end(false), { signal });
  };
  const press = (index: number) => (event: KeyboardEvent) => {
    const by = event.ctrlKey || event.metaKey || event.altKey ? undefined : keyed(event.key, event.shiftKey);
    if (isReadOnly || by === undefined || !scale) return;
    event.preventDefault();
    event.stopPropagation();
    const threshold = states[index]!.threshold as number;
    const { above, below } = reachOf(states, statesType, index);
    const wanted =
      by === 'least'
        ? (below?.threshold ?? scale.low)
        : by === 'most'
          ? (above?.threshold ?? scale.high)
          : threshold + by * step;
    onPlace(index, placed(states, statesType, index, wanted, step), true);
  };

  return (
    <>
      {model.hasFailed.value && (
        <Problem
          text={texts.chartFailed}
          again={() => model.load({ revision: `again ${Date.now()}`, width: bands.current?.clientWidth ?? 800 })}
          againText={ui.again}
        />
      )}
      <div class="explorer-plot rule-plot">
        <PlotView
          key={`${window.start} ${window.end}`}
          name={node.name}
          series={series}
          model={model}
          revision={`${node.revision} ${node.currentTime}`}
          readings={readings}
          drawn={drawn}
          axes={axes}
          thresholds={[]}
          marksOf={() => []}
          onDraw={onDraw}
        />
        <fieldset ref={bands} class="rule-lines" aria-label={say().chart(node.name)}>
          {box &&
            bandsOf(states, statesType, lines, box).map(({ index, top, height: size }) => (
              <div
                key={`band ${index}`}
                class={`rule-band ${states[index]!.isAlarm === true ? 'is-alarm' : 'is-beyond'}`}
                style={{
                  left: `${box.left}px`,
                  width: `${box.right - box.left}px`,
                  top: `${top}px`,
                  height: `${size}px`,
                }}
              />
            ))}
          {box &&
            lines.map(({ index, threshold, y }, i) => {
              const state = states[index]!;
              const { above, below } = reachOf(states, statesType, index);
              const tone = state.isAlarm === true ? 'is-alarm' : 'is-beyond';
              return (
                <div key={index} class={`rule-line ${tone} ${dragged === index ? 'is-moved' : ''}`}>
                  <span
                    class="rule-stroke"
                    style={{ left: `${box.left}px`, width: `${box.right - box.left}px`, top: `${inside(y)}px` }}
                    onPointerDown={(event) => {
                      const handle = event.currentTarget.parentElement?.querySelector<HTMLElement>('[role=slider]');
                      if (handle && event.pointerType === 'mouse') drag(index)({ ...captured(event, handle) });
                    }}
                  />
                  <span
                    role="slider"
                    tabIndex={0}
                    class="rule-handle"
                    aria-orientation="vertical"
                    aria-label={say().threshold(String(state.name ?? ''))}
                    aria-valuenow={threshold}
                    aria-valuetext={textOf(threshold)}
                    aria-valuemin={below?.threshold ?? Math.min(scale?.low ?? threshold, threshold)}
                    aria-valuemax={above?.threshold ?? Math.max(scale?.high ?? threshold, threshold)}
                    aria-disabled={isReadOnly || undefined}
                    style={{ top: `${labels[i]}px`, right: `calc(100% - ${box.right}px)` }}
                    onPointerDown={drag(index)}
                    onKeyDown={press(index)}
                  >
                    <bdi>{String(state.name ?? '')}</bdi> {textOf(threshold)}
                  </span>
                </div>
              );
            })}
        </fieldset>
        {model.isLoading.value && <Busy text={texts.chartLoading} />}
      </div>
      <ChartDescription name={node.name} series={series} data={model.data.value} thresholds={[]} marks={[]} />
    </>
  );
}

/** A pointer that went down on a line takes the handle of the line. */
const captured = (event: PointerEvent, handle: HTMLElement): PointerEvent =>
  ({
    button: event.button,
    clientY: event.clientY,
    pointerId: event.pointerId,
    currentTarget: handle,
    preventDefault: () => event.preventDefault(),
  }) as unknown as PointerEvent;

type Line = { readonly index: number; readonly y: number };

/** Finds where each state of a range lies in the chart: from its threshold to the next one away from NORMAL, or to the edge. */
function bandsOf(
  states: readonly FormState[],
  statesType: unknown,
  lines: readonly Line[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
) {
  const clamp = (y: number) => Math.min(Math.max(y, top), bottom);
  return lines.flatMap(({ index, y }, i) => {
    const side = sideOf(states, statesType, index);
    if (side === 0) return [];
    const next = lines[i + side];
    const from = clamp(y);
    const to = clamp(
      next === undefined || sideOf(states, statesType, next.index) !== side ? (side > 0 ? top : bottom) : next.y,
    );
    const height = Math.abs(from - to);
    return height < 1 ? [] : [{ index, top: Math.min(from, to), height }];
  });
}
