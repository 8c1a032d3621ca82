import type { Node } from '../../../data/nodes/nodes.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { isDrawable } from '../../../parts/chart/series.ts';
import { Busy, EmptyState, Problem } from '../../../ui/notes.tsx';
import { words } from '../../../words/index.ts';
import { Explorer } from './explorer.tsx';

/** Shows the history of a node: years or minutes, beside others, over the same time of another year. */
export function NodeChart({ node }: { readonly node: Node }) {
  const { node: say } = words.value;
  if (typeof node.currentTime !== 'string')
    return (
      <EmptyState icon="number" title={say.neverRecords}>
        {say.neverRecordsText}
      </EmptyState>
    );
  if (!isDrawable(node)) return <TextsAndTimes key={node._id} node={node} />;
  return <Explorer key={node._id} node={node} base={[node]} />;
}

/** Shows texts and times, which come when somebody looks at them. */
function TextsAndTimes({ node }: { readonly node: Node }) {
  const { node: say, ui } = words.value;
  const part = useAsked(() => import('./lanes.tsx'), []);
  if (part.error !== undefined) return <Problem text={say.chartFailed} again={part.again} againText={ui.again} />;
  if (!part.value) return <Busy text={say.chartLoading} />;
  const { Lanes } = part.value;
  return <Lanes node={node} />;
}
