import { useLayoutEffect, useRef } from 'preact/hooks';
import { textOf } from './change-list.tsx';
import { type Conflict, partOf } from './draft.ts';
import type { FormWords } from './words.ts';

type ConflictListProps = {
  readonly conflicts: readonly Conflict[];
  readonly words: FormWords;
  readonly onSettle: (conflict: Conflict, isMine: boolean) => void;
};

/** Lists what two people have changed differently: as it was, theirs and mine, to choose from. */
export function ConflictList({ conflicts, words, onSettle }: ConflictListProps) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <section ref={ref} class="editor-conflicts" role="alert" tabIndex={-1}>
      <h2>{words.conflict}</h2>
      <p>{words.conflictAdvice}</p>
      <ul>
        {conflicts.map((conflict) => {
          const { name } = conflict;
          const { base, theirs, mine } = shownOf(conflict);
          return (
            <li key={name}>
              <h3>{words.label(name)}</h3>
              <dl>
                <div>
                  <dt>{words.base}</dt>
                  <dd dir="auto">{textOf(base, words)}</dd>
                </div>
                <div>
                  <dt>{words.theirs}</dt>
                  <dd dir="auto">{textOf(theirs, words)}</dd>
                </div>
                <div>
                  <dt>{words.mine}</dt>
                  <dd dir="auto">{textOf(mine, words)}</dd>
                </div>
              </dl>
              <div class="editor-buttons">
                <button type="button" class="button is-quiet" onClick={() => onSettle(conflict, false)}>
                  {words.takeTheirs}
                </button>
                <button type="button" class="button is-quiet" onClick={() => onSettle(conflict, true)}>
                  {words.takeMine}
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Lists are shown by the entries that differ, and texts by the lines that do: there is nothing to choose about the others. */
function shownOf({ base, theirs, mine }: Conflict): Pick<Conflict, 'base' | 'theirs' | 'mine'> {
  const isText = [base, theirs, mine].every((version) => typeof version === 'string');
  if (!isText && ![base, theirs, mine].every(Array.isArray)) return { base, theirs, mine };
  return { base: partOf(mine, base), theirs: partOf(base, theirs), mine: partOf(base, mine) };
}
