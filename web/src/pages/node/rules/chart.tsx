import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { windowModel } from '../../../charts/chart-model.ts';
import type { Window } from '../../../charts/chart-window.ts';
import type { AxisChoice, Readings } from '../../../charts/plot/drawn.ts';
import type { Paper, Plot } from '../../../charts/plot/plot.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { readChart } from '../../../parts/chart/chart-source.ts';
import { ChartDescription } from '../../../parts/chart/description.tsx';
import { PlotView } from '../../../parts/chart/plot-view.tsx';
import { seriesOf } from '../../../parts/chart/series.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { words } from '../../../words/index.ts';
import { type Box, boxOf, keyStep, type Scale, scaleOf } from './frame.ts';
import type { FormState } from './list.ts';
import type { Placed } from './order.ts';
import { ThresholdLines } from './threshold-lines.tsx';
import { useMoves } from './use-moves.ts';

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
  readonly onAxis: (axis: Scale & { readonly step: number }) => void;
};

/** Shows the records of a time, and across them a line for each threshold, which is moved by mouse, finger and keys. */
export function ThresholdChart(props: ThresholdChartProps) {
  const { node, states, statesType, window, isReadOnly, textOf, onPlace, onShown, onAxis } = props;
  const { node: texts, ui } = words.value;
  const { series, model } = useRecords(node, window);
  const shown = model.window.value;
  useEffect(() => onShown(shown), [shown?.start, shown?.end]);
  const unit = series[0]!.view.units;
  const thresholds = states.flatMap(({ threshold }, index) =>
    typeof threshold === 'number' && Number.isFinite(threshold) ? [{ index, threshold }] : [],
  );
  const { box, scale, onDraw } = useFrame(unit);
  useEffect(() => {
    if (scale) onAxis({ ...scale, step: keyStep(scale) });
  }, [scale?.low, scale?.high]);
  const room = useRef<HTMLFieldSetElement>(null);
  const moves = useMoves({ states, statesType, isReadOnly, box, scale, room, onPlace });
  const drawn = useSignal<Plot | undefined>(undefined);
  const settled = useRef<readonly number[]>([]);
  // The axis stands still while a threshold is moved: what is under the pointer must not run away.
  if (moves.dragged === undefined) settled.current = thresholds.map(({ threshold }) => threshold);
  const settledKey = settled.current.join();
  useEffect(() => drawn.peek()?.fit(), [settledKey, drawn.value]);
  const axes = useMemo(
    () => new Map<string, AxisChoice>([[unit, { isInverted: false, beside: () => settled.current }]]),
    [unit],
  );
  const readings = useSignal<Readings | undefined>(undefined);
  return (
    <>
      {model.hasFailed.value && (
        <Problem
          text={texts.chartFailed}
          again={() => model.load({ revision: `again ${Date.now()}`, width: room.current?.clientWidth ?? 800 })}
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
        <ThresholdLines
          room={room}
          name={node.name}
          states={states}
          statesType={statesType}
          thresholds={thresholds}
          isReadOnly={isReadOnly}
          box={box}
          scale={scale}
          moves={moves}
          textOf={textOf}
        />
        {model.isLoading.value && <Busy text={texts.chartLoading} />}
      </div>
      <ChartDescription name={node.name} series={series} data={model.data.value} thresholds={[]} marks={[]} />
    </>
  );
}

/** Reads the records of a node within a time. */
function useRecords(node: Node, window: Window) {
  const series = useMemo(() => [seriesOf(node, 0)], [node._id, node.revision, node.currentTime]);
  const current = useRef(series);
  current.current = series;
  const model = useMemo(
    () => windowModel((shown, width, signal) => readChart(current.current, shown ?? window, width, signal)),
    [window.start, window.end],
  );
  if (model.bounds.peek() === undefined) model.bound(window);
  useEffect(() => model.close, [model]);
  return { series, model };
}

/** Holds where the chart is drawn, and the ends of the axis of a unit. */
function useFrame(unit: string) {
  const [box, setBox] = useState<Box>();
  const [scale, setScale] = useState<Scale>();
  const onDraw = (paper: Paper) => {
    const next = boxOf(paper);
    setBox((before) => (before && JSON.stringify(before) === JSON.stringify(next) ? before : next));
    const ends = scaleOf(paper, unit);
    if (ends) setScale((before) => (before?.low === ends.low && before.high === ends.high ? before : ends));
  };
  return { box, scale, onDraw };
}
