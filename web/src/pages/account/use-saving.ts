import { useState } from 'preact/hooks';
import { attributeOf } from '../../data/requests/failures.ts';
import { Overtaken } from '../../data/requests/overtaken.ts';
import type { Conflict } from '../../ui/form/index.ts';
import { errorText } from '../../words/error-text.ts';
import { say } from './words.ts';

type Problem = { readonly text: string; readonly attribute: string };

/** Returns the last part of what a refusal names: `codes[3].color` is `color`. */
const lastPart = (attribute: string | undefined): string =>
  attribute
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '') ?? '';

type Taken = { readonly text: string; readonly conflicts: readonly Conflict[] };

export type Saving = {
  readonly isBusy: boolean;
  /** A problem without a field stands beside the buttons. */
  readonly problem: string;
  readonly problemOf: (name: string) => string | undefined;
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
  /** Two people differ in these, until they are settled. */
  readonly conflicts: readonly Conflict[];
  readonly settle: (conflict: Conflict) => void;
};

/**
 * Saves, and shows what was refused at the field that the server names.
 * @param fields those that the form has
 * @param overtaken takes over what somebody else has saved meanwhile, and returns its text and what both have changed differently
 * @param textOf how that is said
 */
export function useSaving<T>(
  fields: readonly string[],
  overtaken: (theirs: T | undefined) => string | Taken = () => '',
  textOf: (who: string, theirs: string) => string = say().overtaken,
): Saving {
  const text = say();
  const [problem, setProblem] = useState<Problem>();
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isOfField = problem !== undefined && fields.includes(problem.attribute);
  return {
    isBusy,
    conflicts,
    settle: ({ name }) => setConflicts((all) => all.filter((conflict) => conflict.name !== name)),
    problem: problem === undefined || isOfField ? '' : problem.text,
    problemOf: (name) => (isOfField && problem.attribute === name ? problem.text : undefined),
    run: async (work) => {
      setBusy(true);
      setProblem(undefined);
      setConflicts([]);
      try {
        await work();
      } catch (error) {
        if (error instanceof Overtaken) {
          const taken = overtaken(error.theirs as T | undefined);
          const { text: theirs, conflicts: found } = typeof taken === 'string' ? { text: taken, conflicts: [] } : taken;
          setConflicts(found);
          setProblem({ text: textOf(error.who ?? text.somebody, theirs), attribute: '' });
        } else setProblem({ text: errorText(error), attribute: lastPart(attributeOf(error)) });
      } finally {
        setBusy(false);
      }
    },
  };
}
