import { useEffect, useId, useState } from 'preact/hooks';
import { previewMessage } from '../../../data/account/message-preview.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { formWords } from '../../../parts/words-of.ts';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { errorText } from '../../../words/error-text.ts';
import { statesOf } from './list.ts';
import { say } from './words.ts';

/** A text is looked at when the typing rests. */
const REST_MS = 400;

/** Edits a text that people receive, and shows what it says now where it has expressions. */
export function MessageField({ field, path, value, onChange, node }: FieldProps & { readonly node: Node }) {
  const { isReadOnly, problemOf, document } = useForm();
  const id = useId();
  const text = typeof value === 'string' ? value : '';
  const place = /^states\[(\d+)\]/.exec(path)?.[1];
  // Every other text is its own sample; an alarm has no state.
  const state = place === undefined ? '' : String(statesOf(document.states)[Number(place)]?.name ?? '');
  return (
    <div class="editor-field">
      <label for={id}>{formWords().label(field.name)}</label>
      <textarea
        id={id}
        dir="auto"
        rows={2}
        disabled={isReadOnly}
        value={text}
        aria-invalid={problemOf(path) !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {text === '' && <p class="editor-hint">{say().previewUsual}</p>}
      {/\{[{%]/.test(text) && may('EDIT_ALARMS', node) && <Preview node={node} text={text} state={state} />}
      <FieldProblem path={path} id={`${id}-problem`} />
    </div>
  );
}

type PreviewProps = { readonly node: Node; readonly text: string; readonly state: string };

function Preview({ node, text, state }: PreviewProps) {
  const { preview, previewFailed } = say();
  const [rested, setRested] = useState({ text, state });
  useEffect(() => {
    const timer = setTimeout(() => setRested({ text, state }), REST_MS);
    return () => clearTimeout(timer);
  }, [text, state]);
  const { value, error } = useAsked(
    (signal) => previewMessage(node._id, rested.text, rested.state, signal),
    [node._id, rested, node.currentTime],
  );
  const problem = error === undefined ? value?.problem : errorText(error);
  if (problem) return <p class="editor-problem">{`${previewFailed} ${problem}`}</p>;
  return (
    <p class="rule-preview" role="status">
      <span class="soft">{preview}</span> <span dir="auto">{value?.text ?? '…'}</span>
    </p>
  );
}
