import { useState } from 'preact/hooks';
import { cloneNode } from '../../data/nodes/changes.ts';
import { className } from '../../data/nodes/classes.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import type { Found } from '../../data/nodes/search.ts';
import { createTemplate, type Template } from '../../data/nodes/templates.ts';
import { attributeOf } from '../../data/requests/failures.ts';
import { runJob } from '../../data/transfers/jobs.ts';
import { placeOf } from '../../parts/alarm-names.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { say } from './words.ts';

type MakeProps = {
  readonly rootId: string | undefined;
  readonly onMade: (made: Node) => void;
  readonly onClose: () => void;
};

/** Makes a new template: a place or a folder, empty. */
export function MakeTemplate({ rootId, onMade, onClose }: MakeProps) {
  const text = say();
  const [kind, setKind] = useState<'Location' | 'Group'>('Location');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    if (name.trim() === '') return setProblem(text.nameMissing);
    setBusy(true);
    setProblem('');
    try {
      const made = await createTemplate(kind, name.trim(), rootId);
      toast(text.made(made.name));
      onClose();
      onMade(made);
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={text.makeTitle}
      problem={problem}
      isBusy={isBusy}
      main={text.make}
      onSend={send}
      onClose={onClose}
    >
      <label>
        <span>{text.name}</span>
        <input
          autofocus
          dir="auto"
          maxLength={255}
          value={name}
          aria-invalid={problem !== '' || undefined}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>{text.kind}</span>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)}>
          <option value="Location">{text.kinds.Location}</option>
          <option value="Group">{text.kinds.Group}</option>
        </select>
      </label>
    </FormDialog>
  );
}

type InstanceProps = { readonly template: Template; readonly onMade: () => void; readonly onClose: () => void };

const isFit = ({ _class }: Found): boolean => /\.(?:Workspace|Group)$/.test(_class);

/** Makes an instance of a template, in a Workspace or folder. */
export function MakeInstance({ template, onMade, onClose }: InstanceProps) {
  const text = say();
  const { root } = template;
  const [place, setPlace] = useState<Found>();
  const [name, setName] = useState(root.name);
  const [problems, setProblems] = useState<{
    readonly place?: string;
    readonly name?: string;
    readonly other?: string;
  }>({});
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy) return;
    if (!place) return setProblems({ place: text.whereMissing });
    if (name.trim() === '') return setProblems({ name: text.nameMissing });
    setBusy(true);
    setProblems({});
    const title = text.instanceTitle(root.name);
    try {
      await runJob(title, () => cloneNode(root._id, place._id, name.trim()), { nodeId: place._id });
      toast(text.instanceMade(name.trim()));
      onMade();
      onClose();
    } catch (error) {
      const at = attributeOf(error);
      setProblems({ [at === 'name' ? 'name' : at === 'parentId' ? 'place' : 'other']: errorText(error) });
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={text.instanceTitle(root.name)}
      problem={problems.name ?? problems.other ?? ''}
      isBusy={isBusy}
      main={text.makeInstance}
      onSend={send}
      onClose={onClose}
    >
      {place ? (
        <div class="template-chosen">
          <p>
            <span class="unseen">{text.chosen}: </span>
            <strong dir="auto">{place.name}</strong>
            <span class="soft"> {[className(place._class), placeOf(place).place].filter(Boolean).join(' · ')}</span>
          </p>
          <Button onClick={() => setPlace(undefined)}>{text.another}</Button>
        </div>
      ) : (
        <NodeSearch label={text.where} hint={text.whereHint} accepts={isFit} onChoose={setPlace} isFocused />
      )}
      {problems.place !== undefined && (
        <p class="problem" role="alert">
          {problems.place}
        </p>
      )}
      <label>
        <span>{text.name}</span>
        <input
          dir="auto"
          maxLength={255}
          value={name}
          aria-invalid={problems.name !== undefined || undefined}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  );
}
