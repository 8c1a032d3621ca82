import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Attachment, lookOf, ownAddress } from '../../../data/nodes/attachments.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { say } from '../../../parts/files/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { words } from '../../../words/index.ts';
import { About } from './about.tsx';
import { Look } from './look.tsx';

type ViewerProps = {
  readonly node: Node;
  readonly files: readonly Attachment[];
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly onChanged: () => void;
  readonly onRemove: () => void;
  readonly onBroken: () => void;
  readonly onClose: () => void;
};

/** Shows one file after the other over the whole screen, by mouse and by keys. */
export function Viewer({ node, files, at, onAt, onChanged, onRemove, onBroken, onClose }: ViewerProps) {
  const { viewer } = say();
  const { ui } = words.value;
  const room = useRef<HTMLDivElement>(null);
  const [isFull, setFull] = useState(false);
  const file = files[at]!;
  const end = files.length - 1;
  useEffect(() => setFull(false), [file._id]);
  useLayoutEffect(() => room.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea, .look-scroll')) return;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowRight: () => onAt(Math.min(at + 1, end)),
      ArrowLeft: () => onAt(Math.max(at - 1, 0)),
      Home: () => onAt(0),
      End: () => onAt(end),
      z: () => setFull((now) => !now),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog title={file.name} onClose={onClose} closeText={ui.close} class="viewer">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of all that is in it */}
      <div ref={room} class="viewer-room" tabIndex={-1} onKeyDown={onKeyDown}>
        <div class="viewer-bar">
          <Button
            icon="left"
            aria-label={viewer.previous}
            title={viewer.previous}
            disabled={at === 0}
            onClick={() => onAt(at - 1)}
          />
          <span class="soft" role="status">
            {viewer.place(at + 1, files.length)}
          </span>
          <Button
            icon="right"
            aria-label={viewer.next}
            title={viewer.next}
            disabled={at === end}
            onClick={() => onAt(at + 1)}
          />
          {lookOf(file) === 'picture' && (
            <Button icon="whole" aria-pressed={isFull} onClick={() => setFull(!isFull)}>
              {isFull ? viewer.fit : viewer.full}
            </Button>
          )}
          <FileLinks of={file} />
        </div>
        <div class="viewer-body">
          <Look key={file._id} of={file} isFull={isFull} onBroken={onBroken} />
          <About
            of={file}
            {...(file.parentId === node._id && { parent: node })}
            onChanged={onChanged}
            onRemove={onRemove}
          />
        </div>
        <p class="soft keys-hint">{viewer.keys}</p>
      </div>
    </Dialog>
  );
}

/** Shows the file itself, to keep or in a window of its own. */
export function FileLinks({ of }: { readonly of: Attachment }) {
  const { viewer } = say();
  if (of.fileUrl === undefined) return null;
  const address = ownAddress(of.fileUrl);
  return (
    <>
      {of.mimeType === 'application/pdf' && (
        <a class="button is-quiet" href={address} target="_blank" rel="noopener noreferrer">
          {viewer.openPdf}
        </a>
      )}
      <a class="button is-quiet" href={address} download={of.fileName ?? of.name}>
        <Icon name="down" />
        {viewer.download}
      </a>
    </>
  );
}
