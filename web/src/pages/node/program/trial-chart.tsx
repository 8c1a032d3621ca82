import type { Trial } from '../../../data/processing/computations.ts';
import { localeOf, times } from '../../../data/times.ts';
import { language } from '../../../words/index.ts';
import { say } from './words.ts';

const [WIDTH, HEIGHT, ROOM] = [600, 140, 6];
/** Nobody can distinguish more lines than these. */
const MOST_LINES = 4;

type Spot = { readonly ms: number; readonly value: number };
type TrialChartProps = { readonly name: string; readonly trial: Trial; readonly chosen: string | undefined };

/** Shows the numbers that a program made, in small: whether they look as they should is seen at once. */
export function TrialChart({ name, trial, chosen }: TrialChartProps) {
  const texts = say();
  const { whole } = times();
  const lines = linesOf(trial);
  const spots = lines.flatMap(({ spots: ofLine }) => ofLine);
  if (spots.length < 2) return null;
  const [firstMs, lastMs] = [Math.min(...spots.map(({ ms }) => ms)), Math.max(...spots.map(({ ms }) => ms))];
  const [low, high] = [Math.min(...spots.map(({ value }) => value)), Math.max(...spots.map(({ value }) => value))];
  const x = (ms: number) => ROOM + ((ms - firstMs) / (lastMs - firstMs || 1)) * (WIDTH - 2 * ROOM);
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - ROOM - ((value - low) / (high - low)) * (HEIGHT - 2 * ROOM);
  const at = (spot: Spot) => `${x(spot.ms).toFixed(1)},${y(spot.value).toFixed(1)}`;
  const number = new Intl.NumberFormat(localeOf(language.value), { maximumSignificantDigits: 5 });
  const chosenMs = chosen === undefined ? undefined : Date.parse(chosen);
  return (
    <figure class="program-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={texts.chart(name)}>
        {chosenMs !== undefined && chosenMs >= firstMs && chosenMs <= lastMs && (
          <line class="program-now" x1={x(chosenMs)} x2={x(chosenMs)} y1={0} y2={HEIGHT} />
        )}
        {lines.map(({ output, spots: ofLine }, i) => (
          <polyline key={output} class={`program-line is-${i}`} points={ofLine.map(at).join(' ')} />
        ))}
      </svg>
      <figcaption class="soft">
        {lines.length > 1 && `${lines.map(({ output }) => output).join(', ')} · `}
        {number.format(low)} – {number.format(high)} · {whole(firstMs)} – {whole(lastMs)}
      </figcaption>
    </figure>
  );
}

function linesOf({ records }: Trial): readonly { readonly output: string; readonly spots: readonly Spot[] }[] {
  const lines = new Map<string, Spot[]>();
  for (const { ts, output = '', value } of records) {
    if (typeof value !== 'number') continue;
    const ofOutput = lines.get(output) ?? [];
    ofOutput.push({ ms: Date.parse(ts), value });
    lines.set(output, ofOutput);
  }
  return [...lines]
    .slice(0, MOST_LINES)
    .map(([output, spots]) => ({ output, spots: spots.sort((a, b) => a.ms - b.ms) }));
}
