import { useId } from 'preact/hooks';
import { FieldProblem, type FieldProps, useForm } from '../../ui/form/index.ts';

/** A colour by the picker of the browser, or as a text; empty: none. */
export function ColorField({ field, path, value, onChange }: FieldProps) {
  const { words } = useForm();
  const id = useId();
  const text = typeof value === 'string' ? value : '';
  return (
    <div class="editor-field">
      <label for={id}>{words.label(field.name)}</label>
      <div class="report-color">
        <input
          type="color"
          aria-label={words.label(field.name)}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : '#ffffff'}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <input
          id={id}
          value={text}
          placeholder={words.none}
          spellcheck={false}
          autocomplete="off"
          maxLength={9}
          onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        />
      </div>
      <FieldProblem path={path} />
    </div>
  );
}
