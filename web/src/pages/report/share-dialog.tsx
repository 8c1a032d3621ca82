import { useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../../data/nodes.ts';
import { PublicLink } from '../../parts/public-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

type ShareDialogProps = { readonly node: Node; readonly isUnsaved: boolean; readonly onClose: () => void };

/** Asks whether strangers may have the report, and shows how they come to it. */
export function ShareDialog({ node, isUnsaved, onClose }: ShareDialogProps) {
  const text = say();
  const { ui } = words.value;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isPublic = node.isPublic === true;
  const [wanted, setWanted] = useState<boolean>();
  const set = async (attributes: Readonly<Record<string, unknown>>, done?: string) => {
    setBusy(true);
    setProblem('');
    try {
      await updateNode(node._id, attributes);
      await rereadNode(node._id);
      if (done) toast(done);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.shareTitle} class="dash-share" onClose={onClose} closeText={ui.close}>
      <p>{text.shareText}</p>
      <label class="dash-switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={wanted ?? isPublic}
          checked={wanted ?? isPublic}
          disabled={isBusy}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            setWanted(isOn);
            void set({ isPublic: isOn }).finally(() => setWanted(undefined));
          }}
        />
        <span>{text.shareSwitch}</span>
      </label>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isUnsaved && <p class="soft">{text.shareUnsaved}</p>}
      {isPublic && typeof node.publicId === 'string' && (
        <PublicLink
          text={text}
          address={`${location.origin}/public/report/${node.publicId}`}
          name={node.name}
          onNew={() => set({ publicId: null }, text.newLinkDone)}
        />
      )}
    </Dialog>
  );
}
