import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { ancestorsOf } from '../../../data/nodes/ancestors.ts';
import { type Node, readNode } from '../../../data/nodes/nodes.ts';
import type { TrialProgram } from '../../../data/processing/computations.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { CodeEditor, type CodeMark, type CodeProblem } from '../../../ui/code/index.ts';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { isProcessor, isProgram } from '../has-program.ts';
import { completer } from './complete.ts';
import { TrialPanel } from './trial.tsx';
import { type Check, useCheck } from './use-check.ts';
import { say } from './words.ts';

/** docs/reference/processing-and-ratings.md#process-nodes */
const MOST_BYTES = 64 * 1024;
const NO_MARKS: readonly CodeMark[] = [];

type CodeFieldProps = FieldProps & {
  readonly node: Node;
  /** This program is tried, with what is typed in it; undefined: there is none to try. */
  readonly tried: { readonly id: string; readonly program: TrialProgram } | undefined;
};

/** Edits the text of a program, or of shared code, with what is wrong with it and what it would do. */
export function CodeField({ node, tried, path, value, onChange }: CodeFieldProps) {
  const { isReadOnly } = useForm();
  const texts = say();
  const id = useId();
  const text = typeof value === 'string' ? value : '';
  const isShared = !isProgram(node);
  const check = useCheck(tried?.id, tried?.program ?? {}, !isReadOnly && text.trim() !== '');
  const [marks, setMarks] = useState(NO_MARKS);
  const goTo = useRef<(line: number) => void>(() => {});
  const run = useRef<() => void>(() => {});
  const complete = useCompleter(node);
  const problems = useMemo(() => problemsOf(check, isShared), [check, isShared]);
  const bytes = useMemo(() => new Blob([text]).size, [text]);
  const label = isShared ? texts.sharedLabel(node.name) : texts.codeLabel(node.name);
  return (
    <div class="program-desk">
      <div class="program-code">
        <CodeEditor
          label={label}
          text={text}
          onText={onChange}
          onRun={() => run.current()}
          isReadOnly={isReadOnly}
          problems={problems}
          marks={marks}
          complete={complete}
          phrases={texts.phrases}
          loading={texts.loading}
          failed={texts.failed}
          describedBy={`${id}-hint`}
          onReady={(go) => {
            goTo.current = go;
          }}
        />
        <div class="program-foot">
          <CheckLine check={check} isShared={isShared} onGoTo={(line) => goTo.current(line)} />
          <span class={bytes > MOST_BYTES ? 'program-size is-bad' : 'program-size soft'}>
            {bytes > MOST_BYTES ? texts.tooLarge(kib(bytes)) : texts.size(kib(bytes))}
          </span>
        </div>
        {!isReadOnly && (
          <p class="editor-hint" id={`${id}-hint`}>
            {texts.leaving}
          </p>
        )}
        <FieldProblem path={path} />
      </div>
      {!isReadOnly && tried && (
        <TrialPanel
          name={node.name}
          tried={tried}
          isEmpty={text.trim() === ''}
          onMarks={setMarks}
          onGoTo={(line) => goTo.current(line)}
          onReady={(start) => {
            run.current = start;
          }}
        />
      )}
    </div>
  );
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

/** An error of the shared code stands in its own text, not in that of a program. */
const isHere = (check: Check, isShared: boolean): check is Extract<Check, { kind: 'wrong' }> =>
  check.kind === 'wrong' && check.problem.line !== undefined && check.problem.isShared === isShared;

const problemsOf = (check: Check, isShared: boolean): readonly CodeProblem[] =>
  isHere(check, isShared) ? [{ line: check.problem.line!, message: check.problem.message }] : [];

type CheckLineProps = { readonly check: Check; readonly isShared: boolean; readonly onGoTo: (line: number) => void };

function CheckLine({ check, isShared, onGoTo }: CheckLineProps) {
  const texts = say();
  switch (check.kind) {
    case 'none':
      return <p class="program-check soft" role="status" />;
    case 'checking':
      return <p class="program-check soft">{texts.checking}</p>;
    case 'right':
      return (
        <p class="program-check is-good" role="status">
          ✓ {texts.checked(check.trial.inputs.length)}
        </p>
      );
    case 'failed':
      return (
        <p class="program-check soft" role="status">
          {texts.notChecked} {check.text}
        </p>
      );
    case 'wrong': {
      const { line, message, isShared: isOfShared } = check.problem;
      return (
        <p class="program-check is-bad" role="status">
          ✕ {texts.wrong} <bdi>{message}</bdi>
          {line !== undefined &&
            (isHere(check, isShared) ? (
              <>
                {', '}
                <button type="button" class="link" aria-label={texts.goTo(line)} onClick={() => onGoTo(line)}>
                  {texts.inLine(line)}
                </button>
              </>
            ) : (
              ` (${isOfShared ? `${texts.shared}, ` : ''}${texts.inLine(line)})`
            ))}
        </p>
      );
    }
  }
}

function useCompleter(node: Node) {
  const startId = isProcessor(node) || isProgram(node) ? node.parentId : undefined;
  const { workspaceId = node._id } = node as { workspaceId?: string };
  const isShared = !isProgram(node);
  const above = useAsked(
    async (signal) => (isShared ? [] : ancestorsOf(node.parentId, signal)),
    [node.parentId, isShared],
  );
  const shared = useAsked(
    async () => (isShared ? '' : String((await readNode(workspaceId, 'sharedCode')).sharedCode ?? '')),
    [workspaceId, isShared],
  );
  return useMemo(
    () =>
      completer({
        node,
        isShared,
        startId,
        standpoint: { names: above.value?.map(({ name }) => name) ?? [] },
        sharedCode: isShared ? String(node.sharedCode ?? '') : (shared.value ?? ''),
      }),
    [node._id, isShared, startId, above.value, shared.value],
  );
}
