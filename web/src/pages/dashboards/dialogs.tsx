import { useState } from 'preact/hooks';
import { cloneNode, createNode, deleteNode, renameNode } from '../../data/changes.ts';
import { fullClass } from '../../data/classes.ts';
import { client } from '../../data/client.ts';
import { isContainer, mayLieIn } from '../../data/containment.ts';
import { type Board, readBoards } from '../../data/dashboards.ts';
import { iconOf } from '../../data/node-icons.ts';
import type { Found } from '../../data/search.ts';
import { useAsked } from '../../data/use-asked.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

export type BoardAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'clone' | 'delete'; readonly board: Board };

type ActionProps = {
  readonly action: BoardAction;
  readonly onClose: () => void;
  /** A new dashboard is opened to be filled. */
  readonly onMade: (id: string) => void;
};

export function ActionDialog({ action, onClose, onMade }: ActionProps) {
  const text = say();
  switch (action.kind) {
    case 'create':
      return (
        <NameDialog
          title={text.createTitle}
          main={text.createButton}
          hasPlace
          onClose={onClose}
          onName={async (name, place) => {
            const made = await createNode({ _class: fullClass('Dashboard'), name, parentId: place!._id });
            onMade(made._id);
          }}
        />
      );
    case 'rename':
      return (
        <NameDialog
          title={text.renameTitle(action.board.name)}
          main={text.renameButton}
          name={action.board.name}
          onClose={onClose}
          onName={async (name) => {
            await renameNode(action.board._id, name);
            toast(text.renamed(name));
          }}
        />
      );
    case 'clone':
      return (
        <NameDialog
          title={text.cloneTitle(action.board.name)}
          main={text.copy}
          name={action.board.name}
          hasPlace
          isPlaceOptional
          onClose={onClose}
          onName={async (name, place) => {
            const { parentId } = await client.nodes.get(action.board._id, { attr: 'parentId' });
            const made = await cloneNode(action.board._id, place?._id ?? parentId, name);
            toast(text.cloned(made?.name ?? name));
          }}
        />
      );
    case 'delete':
      return <DeleteDialog board={action.board} onClose={onClose} />;
  }
}

type NameProps = {
  readonly title: string;
  readonly main: string;
  readonly name?: string;
  readonly hasPlace?: boolean;
  /** Without one it is made where the other one is. */
  readonly isPlaceOptional?: boolean;
  readonly onClose: () => void;
  readonly onName: (name: string, place: Found | undefined) => Promise<void>;
};

function NameDialog(props: NameProps) {
  const text = say();
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
      void readBoards();
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
              accepts={({ _class }) => isContainer(_class) && mayLieIn(fullClass('Dashboard'), _class)}
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

function DeleteDialog({ board, onClose }: { readonly board: Board; readonly onClose: () => void }) {
  const text = say();
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const { value } = useAsked(
    async () =>
      (await client.nodes.get(board._id, { attr: 'tiles,isPublic' })) as {
        readonly tiles?: readonly unknown[];
        readonly isPublic?: boolean;
      },
    [board._id],
  );
  const remove = async () => {
    setProblem('');
    try {
      await deleteNode(board._id);
      toast(text.deleted(board.name));
      void readBoards();
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={text.deleteTitle(board.name)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        <p>{value ? text.deleteText(value.tiles?.length ?? 0) : ui.loading}</p>
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
