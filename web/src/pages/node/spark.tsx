import { sparkPath } from '../../charts/spark-path.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { readLine } from '../../data/records/records.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { seriesOf } from '../../parts/chart/series.ts';

const DAY = 86_400_000;
const [WIDTH, HEIGHT] = [120, 28];

/** Shows the last day of records in small; the chart says in words what it shows. */
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
      <path d={sparkPath(line, { start: end - DAY, end }, WIDTH, HEIGHT)} />
    </svg>
  );
}
