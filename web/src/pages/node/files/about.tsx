import { useEffect, useState } from 'preact/hooks';
import type { Attachment } from '../../../data/nodes/attachments.ts';
import { type Node, rereadNode, updateNode } from '../../../data/nodes/nodes.ts';
import { isOvertaken } from '../../../data/requests/failures.ts';
import { may } from '../../../data/session/rights.ts';
import { Fact } from '../../../parts/fact.tsx';
import { say } from '../../../parts/files/words.ts';
import { At } from '../../../parts/since.tsx';
import { sizeText } from '../../../parts/size-text.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogAnswers } from '../../../ui/dialog-answers.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';

type AboutProps = {
  readonly of: Attachment;
  /** The file lies here; absent where it is shown by itself. */
  readonly parent?: Node;
  readonly onChanged: () => void;
  readonly onRemove: () => void;
};
const NAME_MOST = 120;
const DESCRIPTION_MOST = 500;

/** Shows what is known of a file, and what may be done with it. */
export function About({ of, parent, onChanged, onRemove }: AboutProps) {
  const text = say();
  const mayChange = may('CONFIGURE', of);
  return (
    <section class="file-about" aria-label={text.viewer.about}>
      <dl class="facts-list">
        <Fact name={text.columns.size}>{sizeText(of.fileSize)}</Fact>
        <Fact name={text.columns.type}>{of.mimeType}</Fact>
        <Fact name={text.columns.added}>
          <At iso={of.createdTime} />
        </Fact>
        {of.fileName !== undefined && of.fileName !== of.name && (
          <Fact name={text.viewer.fileName}>
            <bdi>{of.fileName}</bdi>
          </Fact>
        )}
      </dl>
      {mayChange ? (
        <Edit key={of._id} of={of} onChanged={onChanged} />
      ) : (
        <>
          {of.description && <p dir="auto">{of.description}</p>}
          <p class="soft">{text.viewer.cannotEdit}</p>
        </>
      )}
      {mayChange && (
        <p class="buttons">
          {parent?._class.endsWith('.Location') && of.mimeType.startsWith('image/') && (
            <OfPlace of={of} place={parent} onChanged={onChanged} />
          )}
          <Button icon="trash" onClick={onRemove}>
            {text.remove.action}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Somebody else's change is not overwritten, and what was typed is not lost. */
function Edit({ of, onChanged }: { readonly of: Attachment; readonly onChanged: () => void }) {
  const { edit } = say();
  const [name, setName] = useState<string>();
  const [description, setDescription] = useState<string>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isChanged =
    (name !== undefined && name !== of.name) || (description !== undefined && description !== (of.description ?? ''));
  // The fields follow the file again once it has what was typed.
  useEffect(() => {
    if (isChanged) return;
    setName(undefined);
    setDescription(undefined);
  }, [isChanged]);
  const save = async () => {
    setBusy(true);
    setProblem('');
    try {
      const changed = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
      await updateNode(of._id, changed, of.revision);
      toast(edit.saved);
      onChanged();
    } catch (error) {
      setProblem(isOvertaken(error) ? edit.overtaken : errorText(error));
      if (isOvertaken(error)) onChanged();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="form"
      aria-label={edit.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && isChanged) void save();
      }}
    >
      <label>
        <span>{edit.name}</span>
        <input
          dir="auto"
          maxLength={NAME_MOST}
          autocomplete="off"
          value={name ?? of.name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>{edit.description}</span>
        <textarea
          dir="auto"
          rows={3}
          maxLength={DESCRIPTION_MOST}
          value={description ?? of.description ?? ''}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      <DialogAnswers problem={problem} main={edit.save} isBusy={isBusy} isDisabled={!isChanged} />
    </form>
  );
}

type OfPlaceProps = { readonly of: Attachment; readonly place: Node; readonly onChanged: () => void };

/** Shows the picture by which the place is shown on maps and dashboards. */
function OfPlace({ of, place, onChanged }: OfPlaceProps) {
  const { picture } = say();
  const isIt = place.imageAttachmentId === of._id;
  const set = async () => {
    try {
      await updateNode(place._id, { imageAttachmentId: isIt ? null : of._id });
      toast(isIt ? picture.stopped : picture.used);
      await rereadNode(place._id);
      onChanged();
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  return (
    <Button icon="place" onClick={set}>
      {isIt ? picture.stop : picture.use}
    </Button>
  );
}
