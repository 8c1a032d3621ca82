import type { Node } from '../../../data/nodes/nodes.ts';
import { useFileWords } from '../../../parts/files/words.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { words } from '../../../words/index.ts';
import { isAttachment } from '../has-files.ts';
import { Attachments } from './attachments.tsx';
import { OneFile } from './one-file.tsx';
import { SourceFiles } from './source-files.tsx';
import '../../../styles/console/files.css';

/** Shows files of a node: those that lie in it, those that its source reads, or the one that it is. */
export function NodeFiles({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const { isHere, hasFailed, again } = useFileWords();
  const { ui, frame } = words.value;
  if (hasFailed) return <Problem text={frame.failed.loading} again={again} againText={ui.again} />;
  if (!isHere) return <Busy text={ui.loading} />;
  if (isAttachment(node)) return <OneFile node={node} />;
  return node._class.includes('.source.data.') ? (
    <SourceFiles node={node} isGone={isGone} />
  ) : (
    <Attachments node={node} isGone={isGone} />
  );
}
