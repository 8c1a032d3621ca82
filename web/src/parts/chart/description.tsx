import { summaryOf } from '../../charts/chart-data.ts';
import type { Mark, Threshold } from '../../charts/overlays.ts';
import { times } from '../../data/times.ts';
import { decimalText, withUnits } from '../../format/numbers.ts';
import { words } from '../../words/index.ts';
import type { ExploredData } from './chart-source.ts';
import type { ChartSeries } from './series.ts';

type ChartDescriptionProps = {
  readonly name: string;
  readonly series: readonly ChartSeries[];
  readonly data: ExploredData | undefined;
  readonly thresholds: readonly Threshold[];
  readonly marks: readonly Mark[];
};

/** Shows the chart in words, for those who do not see it. */
export function ChartDescription({ name, series, data, thresholds, marks }: ChartDescriptionProps) {
  if (!data) return null;
  const { node } = words.value;
  const { whole } = times();
  return (
    <div class="unseen">
      <p>{node.chartText(name, whole(data.start), whole(data.end))}</p>
      <ul>
        {series.map(({ key, view }, i) => {
          const found = data.series[i] && summaryOf(data.series[i], data);
          const text = (value: number) => withUnits(decimalText(value, view.decimals), view.units);
          return (
            <li key={key}>
              {found
                ? node.seriesText(
                    view.name,
                    text(found.last),
                    whole(found.lastMs),
                    text(found.minimum),
                    text(found.maximum),
                  )
                : node.noneText(view.name)}
            </li>
          );
        })}
        {thresholds.map(({ name: state, value, unit }) => (
          <li key={state}>{node.thresholdText(state, withUnits(decimalText(value, null), unit))}</li>
        ))}
      </ul>
      {marks.length > 0 && <p>{node.marksText(marks.length)}</p>}
    </div>
  );
}
