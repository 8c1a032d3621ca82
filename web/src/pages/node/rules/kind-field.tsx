import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { firstStates } from './list.ts';
import { say } from './words.ts';

/** Asks for ranges or single values: another choice begins with other states. */
export function KindField({ value, path }: FieldProps) {
  const { isReadOnly, change, base } = useForm();
  const { kinds, kindsLabel, kindChanges } = say();
  const choose = (kind: string) => {
    change('statesType', kind);
    change('states', kind === base.statesType ? base.states : firstStates(kind));
  };
  return (
    <fieldset class="rule-kinds">
      <legend class="unseen">{kindsLabel}</legend>
      {Object.entries(kinds).map(([kind, text]) => (
        <label key={kind} class="check">
          <input
            type="radio"
            name="statesType"
            disabled={isReadOnly}
            checked={value === kind}
            onChange={() => choose(kind)}
          />
          <span>{text}</span>
        </label>
      ))}
      {value !== base.statesType && <p class="editor-hint">{kindChanges}</p>}
      <FieldProblem path={path} />
    </fieldset>
  );
}
