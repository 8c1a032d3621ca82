import type { AxisChoice } from '../../../charts/plot/drawn.ts';
import { type Range, rangeOf } from '../../../charts/ranges.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { chartPictureAddress } from '../../../data/records/historic-addresses.ts';
import { type ChartLink, isDrawable, linkedNode } from '../../../parts/chart/series.ts';
import { Busy, EmptyState } from '../../../ui/notes.tsx';
import { words } from '../../../words/index.ts';
import { Explorer } from './explorer.tsx';
import { MOST_SERIES } from './explorer-address.ts';
import { useNodes } from './use-nodes.ts';

type Axis = {
  readonly range?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly inverted?: boolean;
};
type ChartNode = {
  readonly links?: readonly ChartLink[];
  readonly yAxes?: readonly Axis[];
  readonly startRange?: string;
  readonly endRange?: string;
};

/** Shows a chart node, live and to be explored: its series, range and axes are as its settings say. */
export function OfChartNode({ node }: { readonly node: Node }) {
  const { node: say } = words.value;
  const { links = [], yAxes = [], startRange = '', endRange = '' } = node as ChartNode;
  const shown = links.slice(0, MOST_SERIES);
  const held = useNodes(shown.map(({ nodeId }) => nodeId));
  const found = shown.flatMap((link) => {
    const parameter = held.get(link.nodeId);
    return parameter?.kind === 'ready' && isDrawable(parameter.node)
      ? [{ link, node: linkedNode(parameter.node, link) }]
      : [];
  });
  if (links.length === 0)
    return (
      <EmptyState icon="boards" title={say.noLinks}>
        {say.noLinksText}
      </EmptyState>
    );
  const isLoading = shown.some(({ nodeId }) => (held.get(nodeId)?.kind ?? 'loading') === 'loading');
  if (isLoading) return <Busy text={say.chartLoading} />;
  const base = found.map((parameter) => parameter.node);
  const lost = shown.length - base.length;
  const isLogarithmic = yAxes.some(({ range }) => range === 'LOGARITHMIC');
  const notes = [
    links.length > shown.length ? say.linksCut(shown.length, links.length) : '',
    lost > 0 ? say.linksGone(lost) : '',
    isLogarithmic ? say.linearHere : '',
  ].filter((text) => text !== '');
  return (
    <>
      {notes.length > 0 && (
        <p class="soft">
          {notes.join(' ')}{' '}
          <a
            href={chartPictureAddress(node._id, undefined, { width: 1_600, height: 800 })}
            target="_blank"
            rel="noreferrer"
          >
            {say.asPicture}
          </a>
        </p>
      )}
      {base.length > 0 && (
        <Explorer
          key={base.map(({ _id, revision }) => `${_id} ${revision}`).join()}
          node={node}
          base={base}
          axes={axesOf(found, yAxes)}
          {...rangeOfChart(startRange, endRange)}
        />
      )}
    </>
  );
}

function rangeOfChart(start: string, end: string): { readonly usual?: Range } {
  const usual = end.toUpperCase() === 'NOW' ? rangeOf(start) : rangeOf(`${start}/${end}`);
  return usual ? { usual } : {};
}

/** The axis of units is that of the first series that has them. */
function axesOf(
  found: readonly { readonly link: ChartLink; readonly node: Node }[],
  axes: readonly Axis[],
): ReadonlyMap<string, AxisChoice> {
  const all = new Map<string, AxisChoice>();
  for (const { link, node } of found) {
    const unit = typeof node.units === 'string' ? node.units : '';
    const { range, minimum, maximum, inverted = false } = axes[link.yAxisIndex ?? 0] ?? {};
    if (all.has(unit)) continue;
    const isFixed = range === 'LINEAR_FIXED' && minimum !== undefined && maximum !== undefined;
    all.set(unit, { isInverted: inverted, ...(isFixed && { ends: [minimum, maximum] as const }) });
  }
  return all;
}
