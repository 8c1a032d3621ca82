import { useState } from 'preact/hooks';
import { createNode } from '../../data/nodes/changes.ts';
import { className, fullClass, shortClass } from '../../data/nodes/classes.ts';
import { call } from '../../data/requests/call.ts';
import { creatableIn } from '../../data/tree/containment.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import type { NodeRow } from './rows.ts';

type CreateDialogProps = {
  /** Undefined: a Workspace is created. */
  readonly parent: NodeRow | undefined;
  readonly onClose: () => void;
  readonly onMade: (id: string, parentId: string | undefined) => void;
};

/** Makes a new node by what it needs at least; everything else is in its settings, which open then. */
export function CreateDialog({ parent, onClose, onMade }: CreateDialogProps) {
  const { tree, ui } = words.value;
  const classes = creatableIn(parent?.node._class);
  const [kind, setKind] = useState(classes[0] ?? 'Workspace');
  const [problem, setProblem] = useState('');
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    const position = positionOf(text('latitude'), text('longitude'));
    if (position === 'wrong') {
      setProblem(tree.positionWrong);
      return;
    }
    setProblem('');
    try {
      const made = await createNode({
        _class: fullClass(kind),
        name: text('name'),
        ...(parent && { parentId: parent.node._id }),
        ...(text('units') !== '' && { units: text('units') }),
      });
      if (position) await placeAt(made._id, position);
      toast(tree.created(made.name));
      onClose();
      onMade(made._id, parent?.node._id);
    } catch (failure) {
      setProblem(errorText(failure));
    }
  };
  const isPlace = shortClass(kind) === 'Location';
  const isNumber = /point\.Number/.test(kind);
  return (
    <Dialog title={parent ? tree.createIn(parent.node.name) : tree.createTop} onClose={onClose} closeText={ui.close}>
      <form class="form" onSubmit={create}>
        {classes.length > 1 && (
          <label>
            <span>{tree.kind}</span>
            <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              {classes.map((kind) => (
                <option key={kind} value={kind}>
                  {className(kind)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>{tree.name}</span>
          <input name="name" required autocomplete="off" dir="auto" autofocus />
          <span class="hint">{tree.nameHint}</span>
        </label>
        {isPlace && (
          <div>
            <div class="pair">
              <label>
                <span>{tree.latitude}</span>
                <input name="latitude" inputMode="decimal" autocomplete="off" />
              </label>
              <label>
                <span>{tree.longitude}</span>
                <input name="longitude" inputMode="decimal" autocomplete="off" />
              </label>
            </div>
            <p class="hint">{tree.positionHint}</p>
          </div>
        )}
        {isNumber && (
          <label>
            <span>{tree.units}</span>
            <input name="units" autocomplete="off" />
            <span class="hint">{tree.unitsHint}</span>
          </label>
        )}
        <DialogAnswers problem={problem} main={tree.createButton} cancel={ui.cancel} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type Position = readonly [latitude: number, longitude: number];

function positionOf(latitude: string, longitude: string): Position | 'wrong' | undefined {
  if (latitude === '' && longitude === '') return undefined;
  // Some people write a comma.
  const [a, b] = [latitude, longitude].map((text) => (text === '' ? Number.NaN : Number(text.replace(',', '.'))));
  return Math.abs(a!) <= 90 && Math.abs(b!) <= 180 ? [a!, b!] : 'wrong';
}

const placeAt = (id: string, position: Position): Promise<unknown> =>
  call('PUT', `/nodes/${id}/historic/now`, { body: { value: position } });
