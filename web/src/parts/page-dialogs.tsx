import { useState } from 'preact/hooks';
import { cloneNode, createNode, deleteNode, renameNode } from '../data/nodes/changes.ts';
import { fullClass } from '../data/nodes/classes.ts';
import { iconOf } from '../data/nodes/node-icons.ts';
import type { Found } from '../data/nodes/search.ts';
import { client } from '../data/requests/client.ts';
import { useAsked } from '../data/requests/use-asked.ts';
import { isContainer, mayLieIn } from '../data/tree/containment.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogAnswers } from '../ui/dialog-answers.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';
import { NodeSearch } from './node-search.tsx';

/** A dashboard or a report. */
type Page = { readonly _id: string; readonly name: string };
export type PageAction<P extends Page> =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'clone' | 'delete'; readonly page: P };

type PageDialogWords = {
  readonly createTitle: string;
  readonly createButton: string;
  readonly renameTitle: (name: string) => string;
  readonly renameButton: string;
  readonly renamed: (name: string) => string;
  readonly cloneTitle: (name: string) => string;
  readonly copy: string;
  readonly cloned: (name: string) => string;
  readonly newName: string;
  readonly where: string;
  readonly whereHint: string;
  readonly whereNone: string;
  readonly deleteTitle: (name: string) => string;
  readonly deletePublic: string;
  readonly deleteButton: string;
  readonly deleted: (name: string) => string;
};

type ActionProps = {
  readonly action: PageAction<Page>;
  readonly text: PageDialogWords;
  /** The class lacks what stands before its last dot. */
  readonly class: 'Dashboard' | 'Report';
  /** Tells what is gone with it, and whether strangers see it. */
  readonly loses: (id: string) => Promise<{ readonly text: string; readonly isPublic: boolean }>;
  /** The list is another one now. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
  /** A new one is opened to be filled. */
  readonly onMade: (id: string) => void;
};

/** Makes, names, copies and deletes the pages of a list. */
export function PageActionDialog(props: ActionProps) {
  const { action, text, onClose, onMade } = props;
  const common = { text, class: props.class, onChanged: props.onChanged, onClose };
  switch (action.kind) {
    case 'create':
      return (
        <NameDialog
          {...common}
          title={text.createTitle}
          main={text.createButton}
          hasPlace
          onName={async (name, place) => {
            const made = await createNode({ _class: fullClass(props.class), name, parentId: place!._id });
            onMade(made._id);
          }}
        />
      );
    case 'rename':
      return (
        <NameDialog
          {...common}
          title={text.renameTitle(action.page.name)}
          main={text.renameButton}
          name={action.page.name}
          onName={async (name) => {
            await renameNode(action.page._id, name);
            toast(text.renamed(name));
          }}
        />
      );
    case 'clone':
      return (
        <NameDialog
          {...common}
          title={text.cloneTitle(action.page.name)}
          main={text.copy}
          name={action.page.name}
          hasPlace
          isPlaceOptional
          onName={async (name, place) => {
            const { parentId } = await client.nodes.get(action.page._id, { attr: 'parentId' });
            const made = await cloneNode(action.page._id, place?._id ?? parentId, name);
            toast(text.cloned(made?.name ?? name));
          }}
        />
      );
    case 'delete':
      return <DeleteDialog {...common} page={action.page} loses={props.loses} />;
  }
}

type OwnProps = Pick<ActionProps, 'text' | 'class' | 'onChanged' | 'onClose'>;

type NameProps = OwnProps & {
  readonly title: string;
  readonly main: string;
  readonly name?: string;
  readonly hasPlace?: boolean;
  /** A page without a place is made where the other one is. */
  readonly isPlaceOptional?: boolean;
  readonly onName: (name: string, place: Found | undefined) => Promise<void>;
};

function NameDialog(props: NameProps) {
  const { text } = props;
  const { ui, tree } = words.value;
  const [name, setName] = useState(props.name ?? '');
  const [place, setPlace] = useState<Found>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (props.hasPlace && !props.isPlaceOptional && !place) return setProblem(text.whereNone);
    setBusy(true);
    setProblem('');
    try {
      await props.onName(name.trim(), place);
      props.onChanged();
      props.onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={props.title} onClose={props.onClose} closeText={ui.close}>
      <form class="form" onSubmit={send}>
        <label>
          <span>{text.newName}</span>
          <input
            required
            autofocus
            autocomplete="off"
            dir="auto"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <span class="hint">{tree.nameHint}</span>
        </label>
        {props.hasPlace && (
          <div>
            <NodeSearch
              label={text.where}
              hint={`${text.where}: ${text.whereHint}`}
              accepts={({ _class }) => isContainer(_class) && mayLieIn(fullClass(props.class), _class)}
              onChoose={setPlace}
            />
            {place ? (
              <p class="picked">
                <Icon name={iconOf(place._class)} />
                <bdi>{place.name}</bdi>
              </p>
            ) : (
              props.isPlaceOptional && <p class="hint">{tree.whereSame}</p>
            )}
          </div>
        )}
        <DialogAnswers
          problem={problem}
          main={props.main}
          isBusy={isBusy}
          cancel={ui.cancel}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  );
}

type DeleteProps = OwnProps & { readonly page: Page; readonly loses: ActionProps['loses'] };

function DeleteDialog({ page, text, loses, onChanged, onClose }: DeleteProps) {
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const { value } = useAsked(() => loses(page._id), [page._id]);
  const remove = async () => {
    setProblem('');
    try {
      await deleteNode(page._id);
      toast(text.deleted(page.name));
      onChanged();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={text.deleteTitle(page.name)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        <p>{value ? value.text : ui.loading}</p>
        {value?.isPublic && <p>{text.deletePublic}</p>}
        <DialogAnswers
          look="danger"
          problem={problem}
          main={text.deleteButton}
          isDisabled={value === undefined}
          onMain={remove}
          cancel={ui.cancel}
          onCancel={onClose}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}
