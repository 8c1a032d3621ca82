import { type Conflict, ConflictList } from '../ui/form/index.ts';
import { words } from '../words/index.ts';
import '../styles/console/forms.css';

type ConflictsProps = {
  readonly conflicts: readonly Conflict[];
  /** The dialog has these names of attributes. */
  readonly labels: Readonly<Record<string, string>>;
  /** A value for people. */
  readonly show?: (name: string, value: unknown) => string;
  /** Takes theirs, or keeps what was typed. */
  readonly onSettle: (conflict: Conflict, isMine: boolean) => void;
};

/** Shows what two people have changed differently, in a dialog: as it was, theirs and mine. */
export function Conflicts({ conflicts, labels, show, onSettle }: ConflictsProps) {
  if (conflicts.length === 0) return null;
  const shown = (conflict: Conflict): Conflict => {
    const { name, base, theirs, mine } = conflict;
    return show ? { name, base: show(name, base), theirs: show(name, theirs), mine: show(name, mine) } : conflict;
  };
  return (
    <ConflictList
      conflicts={conflicts.map(shown)}
      words={{
        ...words.value.form,
        hints: {},
        label: (name) => labels[name] ?? name,
        choice: (_, value) => String(value),
      }}
      onSettle={({ name }, isMine) => onSettle(conflicts.find((conflict) => conflict.name === name)!, isMine)}
    />
  );
}
