import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascriptLanguage, localCompletionSource } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { THEME } from './theme.ts';
import type { CodeMark, CodeOption, CodePlace, CodeProblem } from './types.ts';

export type EditorParts = {
  /** The editor lives in this shadow root: style sheets of the page do not reach it, and the content policy lets its own in only there. */
  readonly root: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** Expressions of a text stand in `{{ }}` and `{% %}`. */
  readonly language: 'program' | 'expressions';
  /** The editor says these, by its English texts. */
  readonly phrases: Readonly<Record<string, string>>;
  readonly onText: (text: string) => void;
  /** Ctrl or Command with Enter. */
  readonly onRun: () => void;
  /** Offers what may stand at a place. */
  readonly complete: (place: CodePlace, signal: AbortSignal) => Promise<readonly CodeOption[]>;
};

export type Editor = {
  /** Takes over a text that did not come from here. */
  readonly setText: (text: string) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  readonly showProblems: (problems: readonly CodeProblem[]) => void;
  readonly showMarks: (marks: readonly CodeMark[]) => void;
  /** Puts the cursor into a line, from 1. */
  readonly goTo: (line: number) => void;
  readonly close: () => void;
};

/** Opens an editor for a program, with what is wrong and what came out beside its lines. */
export function openEditor(parts: EditorParts): Editor {
  const { root, text, label, isReadOnly, language, phrases, onText, onRun, complete } = parts;
  const isProgram = language === 'program';
  const locked = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        // These keys come before those of the list of what is offered: whatever else Escape closes, the next Tab leaves the editor.
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run: () => ran(onRun) },
            { key: 'Escape', run: letsTabLeave },
          ]),
        ),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        isProgram ? OF_PROGRAMS : [],
        autocompletion({
          override: isProgram
            ? [sourceOf(complete, placeOf), localCompletionSource]
            : [sourceOf(complete, expressionPlace)],
          icons: false,
          maxRenderedOptions: 50,
        }),
        marks,
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorState.phrases.of(phrases),
        locked.of(lockedBy(isReadOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(ofOthers)))
            onText(textOf(update.state.doc));
        }),
        THEME,
      ],
    }),
  });
  return {
    setText(next) {
      if (textOf(view.state.doc) === next) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: ofOthers.of(true),
      });
    },
    setReadOnly: (next) => view.dispatch({ effects: locked.reconfigure(lockedBy(next)) }),
    showProblems: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(view.state.doc, problem)),
        ),
      ),
    showMarks: (next) => view.dispatch({ effects: setMarks.of(next) }),
    goTo(line) {
      const { from } = lineAt(view.state.doc, line);
      view.focus();
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    },
    close: () => view.destroy(),
  };
}

const OF_PROGRAMS: Extension = [
  lineNumbers(),
  indentOnInput(),
  indentUnit.of('  '),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  javascriptLanguage,
  syntaxHighlighting(classHighlighter),
  lintGutter(),
];

/** @returns that the key has done something */
function ran(run: () => void): boolean {
  run();
  return true;
}

/** @returns that others may do something by the key, too */
function letsTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(LEAVES_MS);
  return false;
}
/** The library lets Tab leave for this long after Escape. */
const LEAVES_MS = 2_000;

/** A text of others is not typed here. */
const ofOthers = Annotation.define<boolean>();

const textOf = (doc: Text): string => doc.toString();

const lockedBy = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // It stays a stop of the tab key, to be read and copied.
  EditorView.contentAttributes.of(isReadOnly ? { 'aria-readonly': 'true' } : {}),
];

/** A line that there is. */
const lineAt = (doc: Text, line: number) => doc.line(Math.min(Math.max(line, 1), doc.lines));

function diagnosticOf(doc: Text, { line, message }: CodeProblem): Diagnostic {
  const { from, to, text } = lineAt(doc, line);
  const indent = text.length - text.trimStart().length;
  return { from: Math.min(from + indent, to), to, message, severity: 'error' };
}

const setMarks = StateEffect.define<readonly CodeMark[]>();

/** Notes beside lines move with them. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const [latest] = transaction.effects.filter((effect) => effect.is(setMarks)).slice(-1);
    if (!latest) return shown.map(transaction.changes);
    const { doc } = transaction.state;
    return Decoration.set(
      (latest.value as readonly CodeMark[])
        .filter(({ line }) => line >= 1 && line <= doc.lines)
        .map((mark) => Decoration.widget({ widget: new Mark(mark), side: 1 }).range(doc.line(mark.line).to)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Mark extends WidgetType {
  readonly #mark: CodeMark;

  constructor(mark: CodeMark) {
    super();
    this.#mark = mark;
  }

  override eq(other: Mark): boolean {
    return other.#mark.text === this.#mark.text && other.#mark.look === this.#mark.look;
  }

  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.className = `cm-mark is-${this.#mark.look}`;
    span.textContent = this.#mark.text;
    return span;
  }
}

type Complete = EditorParts['complete'];

const sourceOf =
  (complete: Complete, place: (context: CompletionContext) => Found | undefined) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const at = place(context);
    if (!at) return null;
    const stop = new AbortController();
    context.addEventListener('abort', () => stop.abort());
    const options = await complete(at.place, stop.signal).catch(() => []);
    if (context.aborted || options.length === 0) return null;
    const isSearched = at.place.kind === 'argument';
    return {
      from: at.from,
      to: at.to,
      options: options.map(optionOf),
      // The findings of a search are asked for anew with each letter.
      ...(isSearched ? { filter: false } : { validFor: /^\w*$/ }),
    };
  };

const optionOf = ({ label, detail, info, text }: CodeOption): Completion => ({
  label,
  ...(detail !== undefined && { detail }),
  ...(info !== undefined && { info }),
  ...(text !== undefined && {
    apply: (view: EditorView, completion: Completion, from: number, to: number) =>
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      }),
  }),
});

type Found = { readonly place: CodePlace; readonly from: number; readonly to: number };

function placeOf(context: CompletionContext): Found | undefined {
  const { state, pos, explicit } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  if (node.name === 'String') {
    const list = node.parent;
    const callee = list?.name === 'ArgList' ? list.parent?.firstChild : undefined;
    const isFirst = list?.firstChild?.nextSibling?.from === node.from;
    if (callee?.name !== 'VariableName' || !isFirst || pos <= node.from) return undefined;
    const isClosed = node.to - node.from > 1 && /['"]/.test(state.sliceDoc(node.to - 1, node.to));
    const to = isClosed ? node.to - 1 : pos;
    if (pos > to) return undefined;
    const call = state.sliceDoc(callee.from, callee.to);
    return { place: { kind: 'argument', call, typed: state.sliceDoc(node.from + 1, pos) }, from: node.from + 1, to };
  }
  if (/Comment|Template/.test(node.name)) return undefined;
  const word = context.matchBefore(/\w*$/) ?? { from: pos, text: '' };
  const before = state.sliceDoc(Math.max(0, word.from - 200), word.from);
  if (before.endsWith('.')) {
    const of = /([\w$]+(?:\([^()]*\))?)\.$/.exec(before)?.[1] ?? '';
    return { place: { kind: 'member', of, typed: word.text }, from: word.from, to: pos };
  }
  if (word.text === '' && !explicit) return undefined;
  return { place: { kind: 'name', typed: word.text }, from: word.from, to: pos };
}

/** An expression is looked for in this many signs before the cursor. */
const LOOKED_BACK = 2_000;

function expressionPlace({ state, pos, explicit }: CompletionContext): Found | undefined {
  const before = state.sliceDoc(Math.max(0, pos - LOOKED_BACK), pos);
  const begin = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  const inside = before.slice(begin + 2);
  if (begin < 0 || /[}%]\}/.test(inside)) return undefined;
  const typed = /\w*$/.exec(inside)![0];
  const rest = inside.slice(0, inside.length - typed.length);
  const found = (place: CodePlace): Found => ({ place, from: pos - typed.length, to: pos });
  if (/\|\s*$/.test(rest)) return found({ kind: 'filter', typed });
  const of = /(\w+)\.$/.exec(rest)?.[1];
  if (of !== undefined) return found({ kind: 'member', of, typed });
  return typed === '' && !explicit && !/(?:^|\s)$/.test(rest) ? undefined : found({ kind: 'name', typed });
}
