import { useId, useRef, useState } from 'preact/hooks';
import { createNode } from '../../data/nodes/changes.ts';
import { fullClass } from '../../data/nodes/classes.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../words/error-text.ts';
import { say } from './words.ts';

/** Makes the first Workspace of an account. */
export function FirstWorkspace({ onMade }: { readonly onMade: (id: string) => Promise<void> }) {
  const text = say();
  const id = useId();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const isMaking = useRef(false);
  const make = async () => {
    // A second Enter would make a second one.
    if (name.trim() === '' || isMaking.current) return;
    isMaking.current = true;
    try {
      const made = await createNode({ _class: fullClass('Workspace'), name: name.trim() });
      await onMade(made._id);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      isMaking.current = false;
    }
  };
  return (
    <div>
      <p class="hint">{text.whereNone}</p>
      <label for={id} class="station-label">
        {text.workspaceName}
      </label>
      <div class="station-line">
        <input
          id={id}
          value={name}
          maxLength={120}
          autocomplete="off"
          dir="auto"
          aria-describedby={`${id}-hint`}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void make();
          }}
        />
        <Button disabled={name.trim() === ''} onClick={make}>
          {text.workspaceMake}
        </Button>
      </div>
      <p id={`${id}-hint`} class="hint">
        {text.workspaceHint}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
