import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress, overviewAddress } from '../../../data/addresses.ts';
import { readAttachment } from '../../../data/nodes/attachments.ts';
import { type Node, rereadNode } from '../../../data/nodes/nodes.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { say } from '../../../parts/files/words.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { About } from './about.tsx';
import { Look } from './look.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { FileLinks } from './viewer.tsx';

/** Shows a file on a separate page. */
export function OneFile({ node }: { readonly node: Node }) {
  const text = say();
  const { ui } = words.value;
  const { route } = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const { value, error, again } = useAsked((signal) => readAttachment(node._id, signal), [node._id, node.revision]);
  if (value === undefined)
    return error === undefined ? (
      <Busy text={text.loading} />
    ) : (
      <Problem text={`${text.failed} ${errorText(error)}`} again={again} againText={ui.again} />
    );
  return (
    <div class="files">
      <div class="viewer-bar">
        <FileLinks of={value} />
      </div>
      <div class="viewer-body">
        <Look of={value} isFull={false} onBroken={() => {}} />
        <About of={value} onChanged={() => void rereadNode(node._id)} onRemove={() => setRemoving(true)} />
      </div>
      {isRemoving && (
        <RemoveDialog
          files={[value]}
          onClose={(isDone) => {
            setRemoving(false);
            if (isDone) route(node.parentId === undefined ? overviewAddress() : nodeAddress(node.parentId, 'files'));
          }}
        />
      )}
    </div>
  );
}
