import type { Node } from '../../../data/nodes/nodes.ts';
import { chartPictureAddress } from '../../../data/records/historic-addresses.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import { seriesOf } from '../../../parts/chart/series.ts';
import { toast } from '../../../ui/toast.tsx';
import { words } from '../../../words/index.ts';
import { ChartBar } from './bar.tsx';
import type { Explorer } from './use-explorer.ts';

/** Shows a chart node as the server draws it. */
export const ChartPicture = ({ node }: { readonly node: Node }) => (
  <img
    class="chart-picture"
    src={chartPictureAddress(node._id, undefined, { width: 1_200, height: 600 })}
    alt={words.value.node.chartOf(node.name)}
  />
);

/** Shows the chart as the server draws it, for those who may not read records. */
export function Picture({ node, explorer }: { readonly node: Node; readonly explorer: Explorer }) {
  const { node: say } = words.value;
  const whole = seriesOf(node, 0).source;
  const now = nowMs.peek();
  const { range } = explorer.state;
  const [startMs, endMs] =
    range.kind === 'fixed'
      ? [range.start, range.end]
      : [range.kind === 'all' ? (whole.oldestMs ?? now - 1) : now - spanOf(range), Math.max(now, whole.newestMs ?? 0)];
  return (
    <div class="explorer">
      <ChartBar explorer={explorer} node={node} />
      <p class="soft">{say.pictureOnly}</p>
      <img
        class="chart-picture"
        src={chartPictureAddress(node._id, { startMs, endMs }, { width: 1_200, height: 520 })}
        alt={say.chartText(node.name, times().whole(startMs), times().whole(endMs))}
        onError={() => toast(say.chartFailed, { isBad: true })}
      />
    </div>
  );
}

const DAY = 86_400_000;
const SPANS = { M: 60_000, H: 3_600_000, D: DAY, W: 7 * DAY, MO: 30 * DAY, Y: 365 * DAY } as const;
const spanOf = ({ count, unit }: { readonly count: number; readonly unit: keyof typeof SPANS }): number =>
  count * SPANS[unit];
