import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../data/nodes/nodes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';
import { type LinkWords, PublicLink } from './public-link.tsx';

type ShareWords = LinkWords & {
  readonly shareTitle: string;
  readonly shareText: string;
  readonly shareSwitch: string;
  readonly shareUnsaved: string;
  readonly newLinkDone: string;
};

export type ShareDialogProps = { readonly node: Node; readonly isUnsaved: boolean; readonly onClose: () => void };

type Shared = {
  readonly page: 'dash' | 'report';
  readonly text: ShareWords;
  /** Strangers see this of it. */
  readonly children?: ComponentChildren;
};

/** Asks whether strangers may have a page, and shows how they come to it. */
export function ShareDialog({ node, isUnsaved, page, text, children, onClose }: ShareDialogProps & Shared) {
  const { ui } = words.value;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isPublic = node.isPublic === true;
  // The switch is where the person has put it, until the server has answered.
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
      {children}
      {isPublic && typeof node.publicId === 'string' && (
        <PublicLink
          text={text}
          address={`${location.origin}/public/${page}/${node.publicId}`}
          name={node.name}
          onNew={() => set({ publicId: null }, text.newLinkDone)}
        />
      )}
    </Dialog>
  );
}
