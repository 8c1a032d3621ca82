import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Editor, EditorParts } from './editor.ts';
import type { CodeMark, CodeProblem } from './types.ts';

export type CodeEditorProps = {
  readonly label: string;
  /** Absent: a program. */
  readonly language?: EditorParts['language'];
  /** The plain field has this many lines; absent, those of a program. */
  readonly rows?: number;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun?: () => void;
  readonly isReadOnly: boolean;
  readonly problems: readonly CodeProblem[];
  readonly marks: readonly CodeMark[];
  readonly complete: EditorParts['complete'];
  readonly phrases: Readonly<Record<string, string>>;
  readonly loading: string;
  /** Stands in its place where it could not be loaded, before a plain field. */
  readonly failed: string;
  readonly describedBy?: string;
  /** Gives away what puts the cursor into a line. */
  readonly onReady?: (goTo: (line: number) => void) => void;
};

/** Edits code in an editor, which comes when the first one is shown; without it the text is edited in a plain field. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, text, isReadOnly, problems, marks, phrases, loading, failed, describedBy } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    import('./editor.ts').then(
      ({ openEditor }) => {
        if (isGone || !host.current) return;
        const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
        const opened = openEditor({
          root,
          language: latest.current.language ?? 'program',
          text: latest.current.text,
          label,
          isReadOnly: latest.current.isReadOnly,
          phrases,
          onText: (next) => latest.current.onText(next),
          onRun: () => latest.current.onRun?.(),
          complete: (place, signal) => latest.current.complete(place, signal),
        });
        editor.current = opened;
        setState('ready');
        latest.current.onReady?.(opened.goTo);
      },
      () => !isGone && setState('failed'),
    );
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, [label, phrases]);
  const isReady = state === 'ready';
  useLayoutEffect(() => editor.current?.setText(text), [text, isReady]);
  useLayoutEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly, isReady]);
  useLayoutEffect(() => editor.current?.showProblems(problems), [problems, isReady]);
  useLayoutEffect(() => editor.current?.showMarks(marks), [marks, isReady]);
  if (state === 'failed')
    return (
      <>
        <p class="soft">{failed}</p>
        <textarea
          class="code-plain"
          aria-label={label}
          aria-describedby={describedBy}
          rows={props.rows ?? 16}
          spellcheck={false}
          readOnly={isReadOnly}
          value={text}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      </>
    );
  return (
    <>
      <div ref={host} class={props.language === 'expressions' ? 'code-editor is-text' : 'code-editor'} />
      {!isReady && <p class="soft">{loading}</p>}
    </>
  );
}
