import { rangeOf, windowOf } from '../charts/ranges.ts';
import { sparkPath } from '../charts/spark-path.ts';
import type { Node } from '../data/nodes/nodes.ts';
import { readLine } from '../data/records/records.ts';
import { useAsked } from '../data/requests/use-asked.ts';

const [WIDTH, HEIGHT] = [80, 30];
/** A picture this small does not show more of a day's records; it is drawn anew at most so often. */
const EACH_MS = 300_000;
const DAY = 86_400_000;

type MiniLineProps = { readonly node: Node; readonly period: string | undefined; readonly outline: string };

/** Shows the first series of a chart over its period, in small; nothing without records. An outline shows that it cannot be read. */
export function MiniLine({ node, period = '', outline }: MiniLineProps) {
  const newestMs = Date.parse(String(node.currentTime));
  const oldestMs = Date.parse(String(node.oldestTime));
  const hasRecords = Number.isFinite(newestMs) && node._class.includes('.point.Number');
  const line = useAsked(
    async (signal) => {
      if (!hasRecords) return undefined;
      const window = windowOfTile(period, newestMs, Number.isFinite(oldestMs) ? oldestMs : newestMs - DAY);
      const { expectedIntervalSeconds = null } = (node.chart ?? {}) as { expectedIntervalSeconds?: number | null };
      const source = { nodeId: node._id, expectedIntervalSeconds, oldestMs: null, newestMs: null };
      return sparkPath(await readLine(source, window, WIDTH, undefined, signal), window, WIDTH, HEIGHT);
    },
    [node._id, period, Math.floor(newestMs / EACH_MS)],
  );
  const isUnread = line.error !== undefined && line.value === undefined;
  return (
    <svg
      class={isUnread ? 'is-outline' : undefined}
      viewBox={isUnread ? '0 0 40 20' : `0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={isUnread ? outline : (line.value ?? '')} />
    </svg>
  );
}

/** Returns about the range that a tile shows: its period up to now, or up to its newest record where the period is relative to that. */
function windowOfTile(period: string, newestMs: number, oldestMs: number) {
  const endMs = /^LAST-/i.test(period) ? newestMs : Date.now();
  const range = rangeOf(period.replace(/^LAST-/i, 'NOW-')) ?? ({ kind: 'last', count: 1, unit: 'D' } as const);
  return windowOf(range, endMs) ?? { start: Math.min(oldestMs, endMs - 1), end: endMs };
}
