import { type Signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { summaryOf } from '../../charts/chart-data.ts';
import type { ChartModel } from '../../charts/chart-model.ts';
import { roundsOf } from '../../charts/dashes.ts';
import type { Readings } from '../../charts/plot/drawn.ts';
import type { Plot } from '../../charts/plot/plot.ts';
import { Swatch } from '../../charts/swatch.tsx';
import { scheme } from '../../components/scheme.ts';
import type { Qualities } from '../../data/records/quality.ts';
import { times } from '../../data/times.ts';
import { decimalText, withUnits } from '../../format/numbers.ts';
import type { ExploredData } from './chart-source.ts';
import { type ChartSeries, shiftWords } from './series.ts';

type LegendProps = {
  readonly series: readonly ChartSeries[];
  readonly model: ChartModel<ExploredData>;
  readonly readings: Signal<Readings | undefined>;
  readonly drawn: Signal<Plot | undefined>;
  readonly qualities: Qualities | undefined;
  /** Stands behind a series, such as a way to remove it. */
  readonly toolsOf: (series: ChartSeries) => ComponentChildren;
};

/** Shows each series with its record under the pointer, otherwise its last one, and the range of what is shown. */
export function Legend({ series, model, readings, drawn, qualities, toolsOf }: LegendProps) {
  const at = readings.value;
  const summaries = useComputed(() => {
    const data = model.data.value;
    return data?.series.map((curve) => summaryOf(curve, model.window.value ?? data)) ?? [];
  });
  const rounds = roundsOf(series.map(({ view }) => view));
  const list = useRef<HTMLUListElement>(null);
  const restHeight = useRef(0);
  // The plot would change its size beneath the pointer. The height is asked for once the pointer comes: after each new record it would cost a layout.
  const wasRead = useRef(false);
  if (at !== undefined && !wasRead.current) restHeight.current = list.current?.offsetHeight ?? 0;
  wasRead.current = at !== undefined;
  const color = (index: number) => (scheme.value && drawn.value?.colorOf(index)) || series[index]!.view.color;
  const data = model.data.value;
  return (
    <ul ref={list} class="legend" style={at && { minHeight: `${restHeight.current}px` }}>
      {series.map((curve, i) => {
        const { name, units, decimals, type } = curve.view;
        const shown = summaries.value[i];
        const reading = at?.of[i];
        const value = at === undefined ? shown?.last : reading?.value;
        const place = reading && data ? data.series[i]?.times.indexOf(reading.ms) : undefined;
        const code = place === undefined ? undefined : data?.series[i]?.qualities.get(place);
        const note = place === undefined ? undefined : data?.series[i]?.notes.get(place);
        return (
          <li key={curve.key}>
            <Swatch isColumn={type === 'COLUMN'} color={color(i)} round={rounds[i] ?? 0} />
            <bdi class="name">{curve.shift ? `${curve.node.name}, −${shiftWords(curve.shift)}` : name}</bdi>{' '}
            <strong>{value === undefined ? '–' : withUnits(decimalText(value, decimals), units)}</strong>
            {reading && at && <span class="range">{times().whole(reading.ms)}</span>}
            {code !== undefined && <span class="range">{qualities?.of(code).name ?? code}</span>}
            {note !== undefined && (
              <span class="range" dir="auto">
                «{note}»
              </span>
            )}
            {shown && at === undefined && (
              <span class="range">
                {`${decimalText(shown.minimum, decimals)} … ${decimalText(shown.maximum, decimals)}`}
              </span>
            )}
            {toolsOf(curve)}
          </li>
        );
      })}
    </ul>
  );
}
