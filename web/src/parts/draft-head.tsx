import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Node } from '../data/nodes/nodes.ts';
import { Button } from '../ui/button.tsx';
import { ConflictList } from '../ui/form/index.ts';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.tsx';
import type { useKeptDraft } from './kept-draft.ts';

type KeptDraft = ReturnType<typeof useKeptDraft>;

/** An editor says this of its draft. */
type DraftWords = {
  readonly title: (name: string) => string;
  readonly name: string;
  readonly description: string;
  readonly undo: string;
  readonly redo: string;
  readonly share: string;
  readonly shared: string;
  readonly save: string;
  readonly saving: string;
  readonly saved: string;
  readonly upToDate: string;
  readonly unsaved: (count: number) => string;
  readonly kept: string;
  readonly discard: string;
};

type DraftHeadProps = {
  readonly node: Node;
  readonly draft: KeptDraft;
  readonly text: DraftWords;
  /** Stands before the tools of every draft. */
  readonly first?: ComponentChildren;
  /** Stands before the button that saves. */
  readonly last?: ComponentChildren;
  readonly onShare: () => void;
};

/** Shows the head of an editor: the name, the steps, the link for strangers, saving, and how much is unsaved. */
export function DraftHead({ node, draft, text, first, last, onShare }: DraftHeadProps) {
  const { document, edit, undo, redo, canUndo, canRedo, count, conflicts, isSaving, discard } = draft;
  const save = async () => {
    if (await draft.save()) toast(text.saved);
  };
  const acts = useRef({ undo, redo, save });
  acts.current = { undo, redo, save };
  useEffect(() => {
    const press = (event: KeyboardEvent) => shortcut(event, acts.current);
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <header class="dash-head">
      <h1 id="title" class="unseen">
        {text.title(String(document.name))}
      </h1>
      <input
        class="dash-name"
        dir="auto"
        aria-label={text.name}
        maxLength={120}
        value={String(document.name)}
        onInput={(event) => edit({ name: event.currentTarget.value }, 'name')}
      />
      <div class="dash-tools">
        {first}
        <Button icon="undo" aria-label={text.undo} title={`${text.undo} (Ctrl Z)`} disabled={!canUndo} onClick={undo} />
        <Button icon="redo" aria-label={text.redo} title={`${text.redo} (Ctrl Y)`} disabled={!canRedo} onClick={redo} />
        <Button icon={node.isPublic ? 'check' : 'person'} onClick={onShare}>
          {node.isPublic ? text.shared : text.share}
        </Button>
        {last}
        <Button look="main" isBusy={isSaving} disabled={count === 0 || conflicts.length > 0} onClick={save}>
          {isSaving ? text.saving : text.save}
        </Button>
      </div>
      <input
        class="dash-about"
        dir="auto"
        aria-label={text.description}
        placeholder={text.description}
        maxLength={500}
        value={String(document.description)}
        onInput={(event) => edit({ description: event.currentTarget.value }, 'description')}
      />
      <p class="dash-state" role="status">
        {count === 0 ? text.upToDate : `${text.unsaved(count)}. ${text.kept}`}
        {count > 0 && (
          <Button look="bare" onClick={discard}>
            {text.discard}
          </Button>
        )}
      </p>
    </header>
  );
}

/** Steps back in a field are those of the letters. */
function shortcut(event: KeyboardEvent, { undo, redo, save }: Readonly<Record<'undo' | 'redo' | 'save', () => void>>) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('dialog[open]')) return;
  const key = event.key.toLowerCase();
  const { tagName, shadowRoot } = event.target as Element;
  const isTyping = shadowRoot !== null || /^(?:INPUT|TEXTAREA|SELECT)$/.test(tagName);
  if (key === 's') void save();
  else if (isTyping) return;
  else if (key === 'y' || (key === 'z' && event.shiftKey)) redo();
  else if (key === 'z') undo();
  else return;
  event.preventDefault();
}

type DraftTroubleProps = {
  readonly draft: KeptDraft;
  /** The server refused the draft for this reason. */
  readonly refusal: string | undefined;
  readonly words: Parameters<typeof ConflictList>[0]['words'];
  /** Says what two people have changed, as people know it. */
  readonly saidOf: (value: unknown) => unknown;
};

/** Shows what keeps a draft from being saved: a refusal, and what somebody else has changed meanwhile. */
export function DraftTrouble({ draft, refusal, words, saidOf }: DraftTroubleProps) {
  const { conflicts, settle } = draft;
  return (
    <>
      {refusal !== undefined && (
        <p class="problem-note" role="alert">
          <Icon name="warning" />
          <span>{refusal}</span>
        </p>
      )}
      {conflicts.length > 0 && (
        <ConflictList
          conflicts={conflicts.map((conflict) => ({
            ...conflict,
            base: saidOf(conflict.base),
            theirs: saidOf(conflict.theirs),
            mine: saidOf(conflict.mine),
          }))}
          words={words}
          onSettle={(shown, isMine) => {
            const conflict = conflicts.find(({ name }) => name === shown.name);
            if (conflict) settle(conflict, isMine);
          }}
        />
      )}
    </>
  );
}
