import type { Mark } from '../../charts/overlays.ts';
import type { Qualities, QualityType } from '../../data/records/quality.ts';
import type { ExploredData } from './chart-source.ts';
import type { ChartSeries } from './series.ts';

/** Nobody has chosen a colour for such a type of quality. */
const COLORS: Readonly<Record<QualityType, string>> = { GOOD: '#4a84c3', BAD: '#c43f42', UNCERTAIN: '#b04ec1' };

/** Finds what is to be marked: records that are not good, and those with notes. */
export function marksOf(
  series: readonly ChartSeries[],
  data: ExploredData,
  qualities: Qualities | undefined,
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const [i, line] of data.series.entries()) {
    const unit = series[i]?.view.units ?? '';
    for (const [place, code] of line.qualities) {
      const quality = qualities?.of(code);
      if (!quality || quality.type === 'GOOD') continue;
      marks.push({
        unit,
        ms: line.times[place]!,
        value: line.values[place] ?? null,
        color: quality.color ?? COLORS[quality.type],
      });
    }
    for (const place of line.notes.keys()) marks.push({ unit, ms: line.times[place]!, value: null, color: undefined });
  }
  return marks;
}
