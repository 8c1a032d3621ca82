import type { SeriesView } from '@catchment/dashboard-view';
import { type Signal, useComputed } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { summaryOf } from '../charts/chart-data.ts';
import type { ChartModel } from '../charts/chart-model.ts';
import { roundsOf } from '../charts/dashes.ts';
import type { Readings } from '../charts/plot/drawn.ts';
import type { Plot } from '../charts/plot/plot.ts';
import { Swatch } from '../charts/swatch.tsx';
import { scheme } from '../components/scheme.ts';
import { decimalText, withUnits } from '../format/numbers.ts';
import { absoluteTime } from '../format/times.ts';
import type { Zone } from '../format/zone.ts';
import { Icon } from '../ui/icon.tsx';

type LegendProps = {
  readonly series: readonly SeriesView[];
  readonly model: ChartModel;
  readonly readings: Signal<Readings | undefined>;
  readonly drawn: Signal<Plot | undefined>;
  readonly zone: Zone;
  readonly broken: number;
};

/** Shows each series with its record under the pointer, otherwise its last one, and the range of what is shown. */
export function Legend({ series, model, readings, drawn, zone, broken }: LegendProps) {
  const at = readings.value;
  const summaries = useComputed(() => {
    const data = model.data.value;
    return data?.series.map((curve) => summaryOf(curve, data)) ?? [];
  });
  const rounds = useMemo(() => roundsOf(series), [series]);
  const list = useRef<HTMLUListElement>(null);
  const restHeight = useRef(0);
  // The plot would change its size beneath the pointer.
  useLayoutEffect(() => {
    if (at === undefined && list.current) restHeight.current = list.current.offsetHeight;
  });
  // Colours are those of the plot, which knows the ground.
  const color = (index: number) => (scheme.value && drawn.value?.colorOf(index)) || series[index]!.color;
  return (
    <ul ref={list} class="legend" aria-hidden="true" style={at && { minHeight: `${restHeight.current}px` }}>
      {at !== undefined && <li class="at">{absoluteTime(at.ms, zone)}</li>}
      {series.map((curve, i) => {
        const shown = summaries.value[i];
        const reading = at?.of[i];
        const value = at === undefined ? shown?.last : reading?.value;
        return (
          <li key={i}>
            <Swatch isColumn={curve.type === 'COLUMN'} color={color(i)} round={rounds[i] ?? 0} />
            <span class="name" dir="auto">
              {curve.name}
            </span>{' '}
            <strong>{value === undefined ? '–' : withUnits(decimalText(value, curve.decimals), curve.units)}</strong>
            {reading && at && reading.ms !== at.ms && <span class="range">{absoluteTime(reading.ms, zone)}</span>}
            {shown && at === undefined && (
              <span class="range">
                {`${decimalText(shown.minimum, curve.decimals)} to ${decimalText(shown.maximum, curve.decimals)}`}
              </span>
            )}
          </li>
        );
      })}
      {broken > 0 && (
        <li class="broken">
          <Icon name="warning" />
          {broken === 1 ? 'A parameter is not there any more.' : `${broken} parameters are not there any more.`}
        </li>
      )}
    </ul>
  );
}
