import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../data/nodes/nodes.ts';
import { client } from '../data/requests/client.ts';
import { attributeOf, isOvertaken } from '../data/requests/failures.ts';
import {
  type Conflict,
  changed,
  changesBetween,
  clean,
  type Document,
  type Draft,
  rebased,
  draftedDocument as whole,
} from '../ui/form/index.ts';
import { keepTab, readTab } from '../ui/tab-storage.ts';
import { errorText } from '../words/error-text.ts';

/** Steps that can be taken back. */
const MOST_STEPS = 200;

type State = {
  readonly draft: Draft;
  /** Whole documents are kept: a step back holds over a save, too. */
  readonly past: readonly Document[];
  readonly future: readonly Document[];
  readonly conflicts: readonly Conflict[];
  /** The last step is about this: letters typed one after the other are one step. */
  readonly about: string;
};

/** The server refuses with this, and with the attribute that it names. */
export type DraftRefusal = { readonly message: string; readonly path?: string };

export type DraftKind = {
  /** Drafts are kept in the tab under this key. */
  readonly key: string;
  /** Returns the node as it is edited: each part that two people may change apart from each other under its own key. */
  readonly documentOf: (node: Node) => Document;
  /** The body of an update. */
  readonly bodyOf: (changes: Document, document: Document) => Document;
};

/** Holds a node while it is edited: over what the server has, with steps back and forward, kept in the tab until it is saved. */
export function useKeptDraft(node: Node, { key, documentOf, bodyOf }: DraftKind) {
  const id = node._id;
  const storageKey = `${key} ${id}`;
  const latest = useMemo(() => documentOf(node), [node]);
  const revision = String(node.revision ?? 0);
  const [state, setState] = useState<State>(() => ({
    draft: (readTab(storageKey) as Draft | undefined) ?? clean(latest, revision),
    past: [],
    future: [],
    conflicts: [],
    about: '',
  }));
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<DraftRefusal>();
  const { draft, past, future, conflicts } = state;
  const document = useMemo(() => whole(draft), [draft]);
  const count = Object.keys(draft.changes).length;

  useEffect(() => keepTab(storageKey, count === 0 ? undefined : draft), [id, draft]);
  // The draft takes over at once what others save, where nothing was changed against it.
  useEffect(() => {
    if (isSaving || Number(revision) <= Number(draft.revision)) return;
    setState((now) => over(now, latest, revision));
  }, [latest, revision, isSaving]);

  /** @param about steps about the same that follow each other are taken back together; empty: a step of its own */
  const edit = (changes: Document, about = '') => {
    setRefusal(undefined);
    setState((now) => {
      const before = whole(now.draft);
      let next = now.draft;
      for (const [name, value] of Object.entries(changes)) next = changed(next, name, value);
      const goesOn = about !== '' && about === now.about;
      return {
        ...now,
        draft: next,
        past: goesOn ? now.past : [...now.past, before].slice(-MOST_STEPS),
        future: [],
        about,
      };
    });
  };
  const step = (from: 'past' | 'future', to: 'past' | 'future') =>
    setState((now) => {
      const target = now[from].at(-1);
      if (target === undefined) return now;
      setRefusal(undefined);
      return {
        ...now,
        draft: { ...now.draft, changes: changesBetween(now.draft.base, target) },
        [from]: now[from].slice(0, -1),
        [to]: [...now[to], whole(now.draft)],
        about: '',
      };
    });

  const save = async (): Promise<boolean> => {
    if (count === 0 || isSaving || conflicts.length > 0) return false;
    setSaving(true);
    setRefusal(undefined);
    try {
      const saved = await updateNode(id, bodyOf(draft.changes, document), Number(draft.revision));
      const base = documentOf(saved);
      // The changes that were made while it was being saved stay.
      setState((now) => ({
        ...now,
        draft: {
          base,
          revision: String(saved.revision),
          changes: changesBetween(base, { ...base, ...changesBetween(document, whole(now.draft)) }),
        },
      }));
      void rereadNode(id);
      return true;
    } catch (error) {
      if (isOvertaken(error)) {
        const theirs = (await client.nodes.get(id).catch(() => undefined)) as Node | undefined;
        if (theirs) setState((now) => over(now, documentOf(theirs), String(theirs.revision)));
        else setRefusal({ message: errorText(error) });
      } else {
        const path = attributeOf(error);
        setRefusal({ message: errorText(error), ...(path !== undefined && { path }) });
      }
      return false;
    } finally {
      setSaving(false);
    }
  };
  return {
    document,
    count,
    conflicts,
    isSaving,
    refusal,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    edit,
    undo: () => step('past', 'future'),
    redo: () => step('future', 'past'),
    discard: () => {
      setRefusal(undefined);
      setState((now) => ({
        ...now,
        draft: clean(latest, revision),
        past: [...now.past, whole(now.draft)],
        future: [],
        conflicts: [],
        about: '',
      }));
    },
    settle: ({ name, theirs }: Conflict, isMine: boolean) =>
      setState((now) => ({
        ...now,
        draft: isMine ? now.draft : changed(now.draft, name, theirs ?? null),
        conflicts: now.conflicts.filter((conflict) => conflict.name !== name),
      })),
    save,
  };
}

/** Lays the draft over what somebody else has saved; what both have changed differently is to be settled. */
function over(now: State, theirs: Document, revision: string): State {
  const { draft, conflicts } = rebased(now.draft, theirs, revision);
  const open = now.conflicts.filter(
    ({ name }) => Object.hasOwn(draft.changes, name) && !conflicts.some((conflict) => conflict.name === name),
  );
  return { ...now, draft, conflicts: [...open, ...conflicts], about: '' };
}
