import { useEffect, useRef, useState } from 'preact/hooks';
import { useSize } from '../../../components/use-size.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { previewChart } from '../../../data/pages/page-preview.ts';
import type { Document } from '../../../ui/form/index.ts';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';

/** Somebody who types is not asked about every letter. */
const REST_MS = 500;
const RATIO = 0.62;
const [LEAST, MOST] = [100, 4_000];

type ChartPictureProps = { readonly node: Node; readonly changes: Document };

/** Shows a chart node beside its settings, drawn by the server as if saved. What cannot be drawn says why; the last picture stays. */
export function ChartPicture({ node, changes }: ChartPictureProps) {
  const { draft } = words.value.node;
  const ref = useRef<HTMLDivElement>(null);
  const size = useSize(ref, REST_MS);
  const [shown, setShown] = useState<string>();
  const [problem, setProblem] = useState('');
  const width = size && Math.round(Math.min(Math.max(size.width, LEAST), MOST));
  const key = JSON.stringify([changes, node.revision, width]);
  useEffect(() => {
    if (width === undefined) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      previewChart(node._id, changes, { width, height: Math.max(Math.round(width * RATIO), LEAST) }, stop.signal).then(
        (svg) => {
          setShown(`data:image/svg+xml,${encodeURIComponent(svg)}`);
          setProblem('');
        },
        (error) => !stop.signal.aborted && setProblem(errorText(error)),
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key]);
  return (
    <section class="settings-picture" aria-label={draft.title} aria-busy={shown === undefined && problem === ''}>
      <div ref={ref} class="settings-paper">
        {shown && <img src={shown} alt={draft.alt(node.name)} />}
      </div>
      <p class="soft">{draft.text}</p>
      <p class="problem" role="status">
        {problem === '' ? '' : `${draft.failed} ${problem}`}
      </p>
    </section>
  );
}
