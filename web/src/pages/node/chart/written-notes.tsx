import { times } from '../../../data/times.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import type { ChartSeries } from '../../../parts/chart/series.ts';
import { words } from '../../../words/index.ts';

/** Notes that people have written to records that are shown. */
export function WrittenNotes({
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
