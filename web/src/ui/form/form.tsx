import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ChangeList } from './change-list.tsx';
import { ConflictList } from './conflict-list.tsx';
import { type FieldProps, FormContext } from './context.ts';
import { type Conflict, changed, clean, type Document, type Draft, documentOf, isSame, rebased } from './draft.ts';
import { FieldView } from './field.tsx';
import { keep, readKept } from './kept.ts';
import type { Field } from './schema.ts';
import type { FormWords } from './words.ts';

/** The outcome of saving. */
export type Saved =
  | { readonly kind: 'saved'; readonly document: Document; readonly revision: string }
  /** Somebody else was first. */
  | { readonly kind: 'conflict'; readonly document: Document; readonly revision: string }
  /** This attribute is wrong, where the server names one. */
  | { readonly kind: 'refused'; readonly message: string; readonly path?: string | undefined };

export type FormProps = {
  /** The typed text is kept in this tab under it. */
  readonly storageKey: string;
  /** The server's document now. */
  readonly document: Document;
  readonly revision: string;
  readonly groups: readonly {
    readonly title: string;
    readonly fields: readonly Field[];
    readonly isReadOnly?: boolean;
  }[];
  readonly words: FormWords;
  readonly isReadOnly: boolean;
  /** Saves attributes with their new values, against the revision that they were typed over. */
  readonly save: (changes: Document, base: Document, revision: string) => Promise<Saved>;
  readonly isShown: (path: string, siblings: Document) => boolean;
  readonly special: (props: FieldProps) => ComponentChildren | undefined;
  /** Hears what would be saved now, for a picture of it beside the form. */
  readonly onDraft?: (changes: Document, base: Document) => void;
  /** These stand above the bar, within the form. */
  readonly children?: ComponentChildren;
};

/** A form edits the attributes of a document. It says what would change before it is saved, and what others have changed meanwhile. */
export function Form(props: FormProps) {
  const { storageKey, document: latest, revision, groups, words, isReadOnly, isShown } = props;
  const [draft, setDraft] = useState<Draft>(() => readKept(storageKey) ?? clean(latest, revision));
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [problem, setProblem] = useState<{ readonly message: string; readonly path?: string | undefined }>();
  const [isSaving, setSaving] = useState(false);

  useEffect(() => keep(storageKey, draft), [storageKey, draft]);
  useEffect(() => props.onDraft?.(draft.changes, draft.base), [draft]);
  // The form takes over at once what others save, where nothing was typed against it.
  useEffect(() => {
    // A revision that was saved here is newer than what the page has heard of.
    if (isSaving || revision === draft.revision || Number(revision) < Number(draft.revision)) return;
    take(rebased(draft, latest, revision));
  }, [revision, latest]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isSaving) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isSaving]);

  function take({ draft: next, conflicts: found }: ReturnType<typeof rebased>): void {
    setDraft(next);
    // A conflict that was not settled is one still, unless the change is gone.
    setConflicts((before) => [
      ...before.filter(
        ({ name }) => Object.hasOwn(next.changes, name) && !found.some((conflict) => conflict.name === name),
      ),
      ...found,
    ]);
  }

  const change = (name: string, value: unknown) => {
    setProblem(undefined);
    setDraft((before) => changed(before, name, value));
  };
  const settle = ({ name, theirs }: Conflict, isMine: boolean) => {
    if (!isMine) change(name, theirs);
    setConflicts((before) => before.filter((conflict) => conflict.name !== name));
  };
  const discard = () => {
    setDraft(clean(latest, revision));
    setConflicts([]);
    setProblem(undefined);
  };
  const count = Object.keys(draft.changes).length;
  const save = async () => {
    if (count === 0 || isSaving || isLocked || conflicts.length > 0) return;
    setSaving(true);
    setProblem(undefined);
    try {
      const answer = await props.save(draft.changes, draft.base, draft.revision);
      if (answer.kind === 'refused') setProblem(answer);
      else if (answer.kind === 'conflict') take(rebased(draft, answer.document, answer.revision));
      // The text that was typed while it was being saved stays.
      else setDraft((now) => afterSave(now, draft, answer));
    } finally {
      setSaving(false);
    }
  };

  // The text that was typed while it was allowed stays to be read.
  const isLocked =
    isReadOnly ||
    groups.some((group) => group.isReadOnly && group.fields.some(({ name }) => Object.hasOwn(draft.changes, name)));
  const shown = documentOf(draft);
  const parts = {
    words,
    isReadOnly,
    isShown,
    document: shown,
    base: draft.base,
    change,
    special: props.special,
    show: (field: FieldProps) => <FieldView {...field} />,
    problemOf: (path: string) => (problem?.path === path ? problem.message : undefined),
  };
  return (
    <FormContext.Provider value={parts}>
      <form
        class="editor"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            void save();
          } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        {conflicts.length > 0 && <ConflictList conflicts={conflicts} words={words} onSettle={settle} />}
        {groups.map(({ title, fields, isReadOnly: isGroupReadOnly = isReadOnly }) => (
          <FormContext.Provider key={title} value={{ ...parts, isReadOnly: isGroupReadOnly }}>
            <section class="editor-section" aria-label={title}>
              <h2>{title}</h2>
              {fields
                .filter((field) => isShown(field.name, shown))
                .map((field) => (
                  <div
                    key={field.name}
                    id={field.name}
                    class={
                      Object.hasOwn(draft.changes, field.name) ? 'editor-attribute is-changed' : 'editor-attribute'
                    }
                  >
                    <FieldView
                      field={field}
                      path={field.name}
                      value={shown[field.name]}
                      onChange={(value) => change(field.name, value)}
                    />
                  </div>
                ))}
            </section>
          </FormContext.Provider>
        ))}
        <FormContext.Provider value={parts}>{props.children}</FormContext.Provider>
        {(count > 0 || problem) && (
          <div class="editor-bar">
            {problem && (
              <p class="editor-problem" role="alert">
                {problem.message}
              </p>
            )}
            <ChangeList draft={draft} words={words} />
            <div class="editor-buttons">
              {!isLocked && (
                <button
                  type="submit"
                  class="button is-main"
                  aria-busy={isSaving || undefined}
                  disabled={isSaving || conflicts.length > 0 || count === 0}
                >
                  {isSaving ? words.saving : words.save}
                </button>
              )}
              <button type="button" class="button is-quiet" disabled={isSaving} onClick={discard}>
                {words.discard}
              </button>
              <span class="editor-hint" role={isLocked ? 'status' : undefined}>
                {isLocked ? words.locked : words.kept}
              </span>
            </div>
          </div>
        )}
      </form>
    </FormContext.Provider>
  );
}

function afterSave(now: Draft, sent: Draft, { document, revision }: Extract<Saved, { kind: 'saved' }>): Draft {
  const typed = Object.entries(now.changes).filter(([name, value]) => !isSame(value, sent.changes[name]));
  return { base: document, revision, changes: Object.fromEntries(typed) };
}
