import { formWords } from '../../../parts/words-of.ts';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';

/** Takes some of a few choices, each with a box to tick. */
export function TypesField({ field, path, value, onChange }: FieldProps) {
  const { isReadOnly } = useForm();
  const { label, choice } = formWords();
  const item = field.shape.kind === 'list' ? field.shape.item.shape : undefined;
  const choices = item?.kind === 'choice' ? item.choices : [];
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return (
    <fieldset class="editor-field rule-types">
      <legend>{label(field.name)}</legend>
      {choices.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            disabled={isReadOnly}
            checked={chosen.includes(option)}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              onChange(choices.filter((other) => (other === option ? checked : chosen.includes(other))));
            }}
          />
          <span>{choice(field.name, option)}</span>
        </label>
      ))}
      <FieldProblem path={path} />
    </fieldset>
  );
}
