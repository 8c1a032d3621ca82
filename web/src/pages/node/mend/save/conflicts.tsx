import type { Node } from '../../../../data/nodes/nodes.ts';
import type { Qualities } from '../../../../data/records/quality.ts';
import { valueOrNone } from '../../../../data/records/values.ts';
import { times } from '../../../../data/times.ts';
import { Button } from '../../../../ui/button.tsx';
import type { Coding } from '../coding.ts';
import type { Conflict } from '../conflict.ts';
import { type Cell, NO_QUALITY } from '../records.ts';
import { say } from '../words.ts';

/** Conflicts that are settled one by one; more are settled together. */
const MOST_SHOWN = 100;

type ConflictsProps = {
  readonly node: Node;
  readonly coding: Coding;
  readonly conflicts: readonly Conflict[];
  readonly choices: ReadonlyMap<number, boolean>;
  readonly qualities: Qualities | undefined;
  readonly onChoose: (ms: readonly number[], isMine: boolean) => void;
};

/** Asks what is kept where two people have changed the same record. */
export function Conflicts({ node, coding, conflicts, choices, qualities, onChoose }: ConflictsProps) {
  const text = say();
  const { whole } = times();
  const cellText = (cell: Cell | undefined) =>
    cell === undefined
      ? text.noRecord
      : [
          valueOrNone(node, coding.valueOf(cell.value ?? Number.NaN)),
          cell.quality !== NO_QUALITY && (qualities?.of(cell.quality).name ?? String(cell.quality)),
          cell.note !== undefined && `«${cell.note}»`,
        ]
          .filter(Boolean)
          .join(', ');
  const all = conflicts.map(({ ms }) => ms);
  return (
    <section class="mend-conflicts" aria-label={text.conflicts(conflicts.length)}>
      <h3>{text.conflicts(conflicts.length)}</h3>
      <p>{text.conflictsText}</p>
      <p class="buttons">
        <Button onClick={() => onChoose(all, true)}>{text.allMine}</Button>
        <Button onClick={() => onChoose(all, false)}>{text.allTheirs}</Button>
      </p>
      <ul>
        {conflicts.slice(0, MOST_SHOWN).map(({ ms, base, mine, theirs }) => (
          <li key={ms}>
            <fieldset>
              <legend>
                {whole(ms)} <span class="soft">{`${text.before}: ${cellText(base)}`}</span>
              </legend>
              {([true, false] as const).map((isMine) => (
                <label key={String(isMine)} class="check">
                  <input
                    type="radio"
                    name={`conflict-${ms}`}
                    checked={choices.get(ms) === isMine}
                    onChange={() => onChoose([ms], isMine)}
                  />
                  <span>
                    {isMine ? text.mine : text.theirs}: <bdi>{cellText(isMine ? mine : theirs)}</bdi>
                  </span>
                </label>
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
      {conflicts.length > MOST_SHOWN && <p>{text.moreConflicts(conflicts.length - MOST_SHOWN)}</p>}
    </section>
  );
}
