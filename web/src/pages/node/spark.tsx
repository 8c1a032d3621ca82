import { isGap } from '@catchment/dashboard-view';
import type { Node } from '../../data/nodes.ts';
import { readLine } from '../../data/records.ts';
import { useAsked } from '../../data/use-asked.ts';
import { seriesOf } from '../../parts/chart/series.ts';

const DAY = 86_400_000;
const [WIDTH, HEIGHT] = [120, 28];

/** The last day of records in small; what it shows is told by the chart. */
export function Spark({ node }: { readonly node: Node }) {
  const end = Date.parse(String(node.currentTime));
  // It follows the value minute by minute, and is no chart.
  const minute = Math.floor(end / 60_000);
  const line = useAsked(
    (signal) => readLine(seriesOf(node, 0).source, { start: end - DAY, end }, WIDTH, undefined, signal),
    [node._id, minute],
  ).value;
  if (!line || line.times.length < 2) return null;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="none"
    >
      <path d={pathOf(line, end)} />
    </svg>
  );
}

type Line = NonNullable<Awaited<ReturnType<typeof readLine>>>;

/** A line with breaks where nothing was recorded. */
function pathOf({ times, values, gapMs }: Line, end: number): string {
  const inside = times.map((ms, i) => ({ ms, value: values[i] ?? null })).filter(({ ms }) => ms >= end - DAY);
  const numbers = inside.flatMap(({ value }) => value ?? []);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const y = (value: number) => HEIGHT - 2 - ((value - low) / (high - low || 1)) * (HEIGHT - 4);
  let path = '';
  let before: number | undefined;
  for (const { ms, value } of inside) {
    if (value === null) {
      before = undefined;
      continue;
    }
    const isBroken = before === undefined || (gapMs !== null && isGap(before, ms, gapMs));
    path += `${isBroken ? 'M' : 'L'}${(((ms - end + DAY) / DAY) * WIDTH).toFixed(1)} ${y(value).toFixed(1)}`;
    before = ms;
  }
  return path;
}
