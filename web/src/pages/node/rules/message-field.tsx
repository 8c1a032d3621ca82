import { useId } from 'preact/hooks';
import type { Node } from '../../../data/nodes.ts';
import { formWords } from '../../../parts/words-of.ts';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { say } from './words.ts';

/** A text that people are told. */
export function MessageField({ field, path, value, onChange }: FieldProps & { readonly node: Node }) {
  const { isReadOnly, problemOf } = useForm();
  const id = useId();
  const text = typeof value === 'string' ? value : '';
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
      <FieldProblem path={path} id={`${id}-problem`} />
    </div>
  );
}
