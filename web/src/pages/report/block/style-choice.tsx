import type { Paper } from '../../../data/pages/reports.ts';
import { say } from '../words.ts';

type StyleChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly paper: Paper;
  readonly onChange: (id: string) => void;
};

/** Lets people choose a style of the report, or none. */
export function StyleChoice({ label, value, paper, onChange }: StyleChoiceProps) {
  const text = say();
  return (
    <label class="editor-field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{paper.styles.length === 0 ? text.noStyles : text.noStyle}</option>
        {paper.styles.map(({ _id }) => (
          <option key={_id} value={_id}>
            {_id}
          </option>
        ))}
      </select>
    </label>
  );
}
